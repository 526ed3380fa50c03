import type { FilterField } from "./FilterField.ts"

const presence = ["is_set", "is_not_set"] as const
const texts = ["is", "is_not", "any_of", "contains", "starts_with", ...presence] as const
const times = ["before", "since", "within_days", "not_within_days", ...presence] as const

/** The operators of each field, as they are told to callers: which ones an attribute has depends on its type. */
export const filterOperators: Readonly<Record<FilterField, ReadonlyArray<string>>> = {
  tag: ["any_of", "all_of", "none_of"],
  attribute: ["is", "is_not", "any_of", "contains", "lt", "lte", "gt", "gte", ...presence],
  consent: ["is", "is_not"],
  name: texts,
  phone: texts,
  email: texts,
  locale: texts,
  timezone: texts,
  identity: ["has", "has_not"],
  createdAt: times,
  lastSeenAt: times,
  lastInboundAt: times,
  blocked: ["is"],
  segment: ["in", "not_in"],
  contact: ["any_of", "none_of"]
}

const marked = (words: ReadonlyArray<string>) => words.map((word) => `\`${word}\``).join(", ")

/** What callers read of the operators of fields. Fields with the same operators share a line. */
export const operatorsInWords = (operators: Readonly<Record<string, ReadonlyArray<string>>>): string => {
  const lines = Object.entries(Object.groupBy(Object.entries(operators), ([, operators]) => marked(operators))).map(
    ([operators, fields = []]) => `- ${marked(fields.map(([field]) => field))}: ${operators}`
  )
  return `How it compares. Each field has its own operators:\n\n${lines.join("\n")}\n\nOf an attribute, \`contains\` is for texts, and \`lt\`, \`lte\`, \`gt\` and \`gte\` are for numbers and dates.`
}
