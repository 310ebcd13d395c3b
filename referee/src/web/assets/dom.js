// Making elements.

/// An HTML element with properties and children.
export function html(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key in element && key !== 'role') element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

/// An SVG element with attributes and children.
export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}
