import { type Token, TypeGuards } from "liquidjs/dist/liquid.browser.mjs"
import type { Vocabulary } from "./Vocabulary.ts"

/** Something that a template names: a path, a text or number of its own, or what is none of them. */
export type Operand<Path> =
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "literal"; readonly content: unknown }
  | { readonly kind: "fault"; readonly message: string }

/** What this token of a value names. */
export const operandOf = <Path>(token: Token, { expected, of, read }: Vocabulary<Path>): Operand<Path> => {
  const written = token.input.slice(token.begin, token.end)
  if (TypeGuards.isPropertyAccessToken(token)) {
    const names = token.props.map((prop) => ("content" in prop ? prop.content : null))
    const areTexts = token.variable === undefined && names.every((name) => typeof name === "string")
    const path = areTexts ? read(names) : null
    return path === null
      ? { kind: "fault", message: `There is no ${written}: expected ${expected}` }
      : { kind: "path", path }
  }
  return TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)
    ? { kind: "literal", content: token.content }
    : { kind: "fault", message: `Expected a text, a number or something of ${of}, not ${written}` }
}
