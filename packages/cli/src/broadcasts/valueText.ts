import { Value } from "@parley/domain"
import { Schema } from "effect"

const decode = Schema.decodeUnknownEffect(Value)

const written = (text: string): unknown => {
  if (text.includes("{{") || text.includes("{%")) return { kind: "liquid", source: text }
  if (!text.startsWith("@")) return { kind: "constant", value: text }
  const [named = "", ...rest] = text.slice(1).split("|")
  const [field, ...key] = named.split(".")
  return {
    kind: "field",
    field,
    ...(key.length > 0 && { key: key.join(".") }),
    ...(rest.length > 0 && { fallback: rest.join("|") })
  }
}

/**
 * The value of a variable as people type it: a text for everybody, `@firstName|there` for a field of the contact and what stands
 * there without one, `@attribute.city` for a contact field, or liquid.
 */
export const valueOf = (text: string) => decode(written(text))
