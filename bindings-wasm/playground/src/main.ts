// The page: reads the input, shows the result, keeps everything to itself.

import init, { type Dialect } from 'ackguard';
import './style.css';
import { byId, el } from './dom.js';
import { show } from './show.js';
import { EXAMPLES, type Key, type Language, MODES, type Mode, text } from './texts.js';

const input = byId<HTMLTextAreaElement>('text');
const out = byId('out');
const language = byId<HTMLSelectElement>('language');
const dialect = byId<HTMLSelectElement>('dialect');
const modes = byId('modes');
let mode: Mode = 'payload';
let ready = false;

/** What is too large to be shown in a text field is still looked at. */
const MOST_SHOWN = 1_000_000;
let whole: string | undefined;

const chosen = (): Language => (language.value === 'zh' ? 'zh' : 'en');

function label(): void {
  document.documentElement.lang = chosen() === 'zh' ? 'zh-Hans' : 'en';
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    element.textContent = text(chosen(), element.dataset.text as Key);
  }
  byId('text-label').textContent = text(chosen(), `${mode}-label`);
}

function update(): void {
  if (!ready) {
    out.replaceChildren(el('p', {}, text(chosen(), 'waiting')));
    return;
  }
  out.replaceChildren(...show(mode, whole ?? input.value, { language: chosen(), dialect: dialect.value as Dialect }));
}

let scheduled = 0;
function later(): void {
  cancelAnimationFrame(scheduled);
  scheduled = requestAnimationFrame(update);
}

function fill(value: string): void {
  whole = value.length > MOST_SHOWN ? value : undefined;
  input.value = value.slice(0, MOST_SHOWN);
  later();
}

function choose(next: Mode): void {
  mode = next;
  for (const radio of modes.querySelectorAll<HTMLInputElement>('input')) radio.checked = radio.value === next;
  label();
  later();
}

for (const it of MODES) {
  const radio = el('input', { type: 'radio', name: 'mode', value: it, id: `mode-${it}` });
  radio.addEventListener('change', () => choose(it));
  modes.append(el('span', { class: 'mode' }, radio, el('label', { for: `mode-${it}`, 'data-text': it })));
}

async function read(file: File): Promise<void> {
  const content = await file.text();
  // A file of several lines is a log, unless it is one payload that was laid out.
  const lines = content.split('\n').filter((line) => line.trim() !== '');
  let one = false;
  try {
    JSON.parse(content);
    one = true;
  } catch {
    // Not one payload.
  }
  if (!one && lines.length > 1 && (mode === 'payload' || mode === 'log')) choose('log');
  fill(content);
}

input.addEventListener('input', () => {
  whole = undefined;
  later();
});
language.addEventListener('change', () => {
  label();
  later();
});
dialect.addEventListener('change', later);
byId('example').addEventListener('click', () => fill(EXAMPLES[mode]));
byId('clear').addEventListener('click', () => {
  fill('');
  input.focus();
});
byId<HTMLInputElement>('file').addEventListener('change', (event) => {
  const file = (event.target as HTMLInputElement).files?.[0];
  if (file !== undefined) void read(file);
});
for (const type of ['dragenter', 'dragover'] as const) {
  document.addEventListener(type, (event) => {
    event.preventDefault();
    document.body.classList.add('dropping');
  });
}
document.addEventListener('dragleave', () => document.body.classList.remove('dropping'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const file = event.dataTransfer?.files[0];
  if (file !== undefined) void read(file);
  else fill(event.dataTransfer?.getData('text/plain') ?? '');
});

if (navigator.language.toLowerCase().startsWith('zh')) language.value = 'zh';
choose('payload');
await init();
ready = true;
update();
