// The keys that step through a game, on every page that shows one.

/// What a key does: one move back or forward, to the first or last position, to the variation before or after.
const KEYS = { ArrowLeft: 'back', ArrowRight: 'next', Home: 'first', End: 'last', ArrowUp: 'before', ArrowDown: 'after' };

/// Calls the functions of `steps` by these names; one that returns false leaves the key to others. Returns a function
/// that ends this. A square of a board that was
/// reached by keyboard keeps its arrow keys: there the same keys step with Shift.
export function stepKeys(steps) {
  const key = (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || document.querySelector('dialog[open]')) return;
    const step = steps[KEYS[event.key]];
    if (step && step() !== false) event.preventDefault();
  };
  document.addEventListener('keydown', key);
  return () => document.removeEventListener('keydown', key);
}
