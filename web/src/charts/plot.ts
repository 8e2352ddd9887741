// The only place where drawings come to be. Plot puts a style element into its drawings, which a strict content
// security policy forbids; it is taken out before the drawing joins the page, and plot.css says the same.
import { plot, type PlotOptions } from '@observablehq/plot';

export function render(options: PlotOptions, label: string): Element {
  const drawn = plot({ className: 'plot', ...options });
  for (const style of drawn.querySelectorAll('style')) style.remove();
  const svg = drawn instanceof SVGElement ? drawn : drawn.querySelector('svg');
  svg?.setAttribute('role', 'img');
  svg?.setAttribute('aria-label', label);
  // Names inside are repeated by the label; read out one by one they are noise.
  for (const part of svg?.querySelectorAll('[aria-label]') ?? []) part.removeAttribute('aria-label');
  return drawn;
}
