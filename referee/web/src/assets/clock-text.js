// Times of clocks as text, written and read.

/// Minutes and seconds; tenths below ten seconds; a minus once the flag has fallen.
export function clockText(ms) {
  const sign = ms < 0 ? '-' : '';
  const left = Math.abs(ms);
  const total = ms > 0 && left >= 10000 ? Math.ceil(left / 1000) : Math.floor(left / 1000);
  const hours = Math.floor(total / 3600);
  const minutes = Math.floor(total / 60) % 60;
  const seconds = String(total % 60).padStart(2, '0');
  const tenths = ms > 0 && left < 10000 ? `.${Math.floor(left / 100) % 10}` : '';
  return hours > 0 ? `${sign}${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${sign}${minutes}:${seconds}${tenths}`;
}

/// Milliseconds of `m:ss`, `h:mm:ss` or seconds; NaN for anything else.
export function readClock(text) {
  const match = /^(-)?(?:(?:(\d{1,3}):)?(\d{1,3}):)?(\d{1,5})(?:\.(\d))?$/.exec(text.trim());
  if (!match) return NaN;
  const [, minus, hours, minutes, seconds, tenths] = match;
  if (minutes !== undefined && Number(seconds) > 59) return NaN;
  const total = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds) + Number(tenths ?? 0) / 10;
  return Math.round(total * 1000) * (minus ? -1 : 1);
}
