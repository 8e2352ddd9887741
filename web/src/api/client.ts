// Asks the server, and turns everything that can go wrong into a sentence with what to do.
import { parseDocument } from './document';

export class Failure extends Error {
  constructor(
    message: string,
    readonly hint: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export type Query = Record<string, string | number | boolean | string[] | undefined>;

export function url(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const each of value) search.append(name, each);
    else if (value !== undefined && value !== '') search.set(name, String(value));
  }
  const text = search.toString();
  return `/api/v1/${path}${text ? `?${text}` : ''}`;
}

/** The id of a workload as a part of a path. */
export const idPath = (id: string): string => id.split('/').map(encodeURIComponent).join('/');

async function failureOf(answer: Response): Promise<Failure> {
  try {
    const body = (await answer.json()) as { error?: string | { message?: string; hint?: string }; hint?: string };
    if (typeof body.error === 'string') return new Failure(body.error, body.hint ?? '', answer.status);
    if (body.error?.message) return new Failure(body.error.message, body.error.hint ?? '', answer.status);
  } catch {
    // not our JSON: told below
  }
  return new Failure(`The server answered ${answer.status} ${answer.statusText}`.trim(), 'Its log on standard error may say more.', answer.status);
}

async function ask(input: string, init: RequestInit): Promise<Response> {
  let answer: Response;
  try {
    answer = await fetch(input, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Failure('The server does not answer', 'Is `aisp serve` still running? Start it and try again.', 0);
  }
  if (!answer.ok) throw await failureOf(answer);
  return answer;
}

export async function get<T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> {
  const answer = await ask(url(path, query), { signal: signal ?? null, headers: { Accept: 'application/json' } });
  return parseDocument(await answer.text()) as T;
}

/** Changes something: needs the token that the server printed when it started. */
export async function send<T>(method: 'POST' | 'DELETE', path: string, token: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json', Authorization: `Bearer ${token}` };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const answer = await ask(url(path), { method, headers, body: body === undefined ? null : JSON.stringify(body) });
  return (await answer.json()) as T;
}
