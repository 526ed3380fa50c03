import { type Token, TypeGuards } from "liquidjs/dist/liquid.browser.mjs"
import type { ContactPath } from "../ContactPath.ts"
import { ValueField } from "../Value.ts"

/** Something that a template names: a path of the contact, a text or number of its own, or what is none of them. */
export type Operand =
  | { readonly kind: "path"; readonly path: ContactPath }
  | { readonly kind: "literal"; readonly content: unknown }
  | { readonly kind: "fault"; readonly message: string }

const fields: ReadonlySet<string> = new Set(ValueField.literals)
const isField = (name: string): name is ValueField => fields.has(name)

const pathOf = (names: ReadonlyArray<unknown>): ContactPath | null => {
  const [field, key, ...others] = names
  if (typeof field !== "string" || !isField(field) || others.length > 0) return null
  if (field !== "attribute") return key === undefined ? { field } : null
  return typeof key === "string" ? { field, key } : null
}

const unknownName = (written: string): Operand => ({
  kind: "fault",
  message: `There is no ${written}: expected ${ValueField.literals.slice(0, -1).join(", ")} or attribute.key`
})

/** What this token of a value names. */
export const operandOf = (token: Token): Operand => {
  const written = token.input.slice(token.begin, token.end)
  if (TypeGuards.isPropertyAccessToken(token)) {
    if (token.variable !== undefined) return unknownName(written)
    const path = pathOf(token.props.map((prop) => ("content" in prop ? prop.content : null)))
    return path === null ? unknownName(written) : { kind: "path", path }
  }
  return TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)
    ? { kind: "literal", content: token.content }
    : { kind: "fault", message: `Expected a text, a number or something of the contact, not ${written}` }
}
