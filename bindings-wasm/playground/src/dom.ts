// The little of a framework that this page needs.

type Child = Node | string | null | undefined | readonly Child[];

/** An element with attributes and children. Text is always text: nothing that was pasted becomes markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  append(element, children);
  return element;
}

function append(parent: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined) continue;
    if (typeof child === 'string' || child instanceof Node) parent.append(child);
    else append(parent, child);
  }
}

export function byId<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (element === null) throw new Error(`there is no #${id}`);
  return element as T;
}

const SVG = 'http://www.w3.org/2000/svg';

export function svg(name: string, attributes: Readonly<Record<string, string>>, ...children: Node[]): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
