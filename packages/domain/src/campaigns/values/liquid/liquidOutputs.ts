import { type DelimitedToken, type FilteredValueToken, Tokenizer, TypeGuards } from "liquidjs/dist/liquid.browser.mjs"

/** Output token of a source that is exactly one output; else `null`. */
export const soleOutput = (source: string): DelimitedToken | null => {
  try {
    const [only, ...others] = new Tokenizer(source).readTopLevelTokens()
    return only !== undefined && others.length === 0 && TypeGuards.isOutputToken(only) ? only : null
  } catch {
    return null
  }
}

/** Source between the braces of an output. */
export const outputContent = ({ contentRange: [from, to], input }: DelimitedToken): string => input.slice(from, to)

/** Parsed value of an output; `null` on a syntax error. */
export const outputValue = ({ contentRange, input }: DelimitedToken): FilteredValueToken | null => {
  try {
    return new Tokenizer(input, undefined, undefined, contentRange).readFilteredValue()
  } catch {
    return null
  }
}
