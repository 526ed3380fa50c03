import { Liquid } from "liquidjs/dist/liquid.browser.mjs"
import type { Wording } from "../Wording.ts"
import { filtersOf, textOf } from "./filters.ts"

/** Twice 4,096 characters, as they are counted by pairs of surrogates. No value of a broadcast is longer than 1,000. */
const longestSource = 8_192

/** How many characters all filters of one rendering may make together. */
const mostMade = 100_000

/**
 * Liquid with what values may use, and nothing else: no tag but `if`, no filter but ours.
 *
 * A rendering has 10 milliseconds. A limit of time would need a clock, and would leave contacts out because a machine was busy, so what
 * is limited is the work. There are no loops and nothing is assigned, so each piece of a source is rendered at most once, and a source
 * of 1,000 characters has fewer than 200 pieces and 200 filters, one of 4,096 fewer than 850. Each filter takes as long as the text that it is given and makes, and
 * all of them together make at most 100,000 characters. The worst that was found takes one to two milliseconds on a busy machine.
 */
export const makeLiquid = (wording: Wording): Liquid => {
  const liquid = new Liquid({
    ownPropertyOnly: true,
    strictFilters: true,
    parseLimit: longestSource,
    memoryLimit: mostMade,
    templates: {},
    outputEscape: (value) => textOf(value, wording)
  })
  for (const name of Object.keys(liquid.tags)) if (name !== "if") delete liquid.tags[name]
  for (const name of Object.keys(liquid.filters)) delete liquid.filters[name]
  Object.assign(liquid.filters, filtersOf(wording))
  return liquid
}
