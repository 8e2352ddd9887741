// A document of the server as the pages read it. JSON has no infinities: the server writes them as text, and here they
// become numbers again, in estimates alone: a name may be "inf".
const words: Record<string, number> = { inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY, nan: Number.NaN };

function revived(_name: string, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !('low' in value) || !('high' in value)) return value;
  const estimate = value as Record<string, unknown>;
  for (const [name, each] of Object.entries(estimate)) {
    if (['value', 'ratio', 'low', 'high'].includes(name) && typeof each === 'string' && each in words) estimate[name] = words[each];
  }
  return estimate;
}

/** Looked through only where there is something to find: raw samples make documents large. */
export const parseDocument = (text: string): unknown => (/"(-?inf|nan)"/.test(text) ? JSON.parse(text, revived) : JSON.parse(text));
