// JavaScript's side of `make agree`: reads {"file", "input"} line by line, answers as the runner of the shared cases does.

import { createInterface } from 'node:readline';
import * as ackguard from 'ackguard';
import { answerLine } from './vectors.mjs';

const plain = (_, value) => (typeof value === 'bigint' ? Number(value) : value);
for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
  process.stdout.write(`${JSON.stringify(answerLine(ackguard, line), plain)}\n`);
}
