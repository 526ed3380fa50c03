import type { Schema } from "effect"

/** JSON Schema 2020-12 as plugins may use it: without references, patterns and more than five levels. It may be `true` or `false`, too. */
export type PluginSchema = Schema.Json

/** How many schemas may stand in each other. */
export const mostSchemaLevels = 5

/** The keyword that has a setting sealed and never shown. */
export const secretKeyword = "x-parley-secret"

/** The members of a JSON object; `null` for anything else. */
export const membersOf = (value: Schema.Json | undefined): Readonly<Record<string, Schema.Json>> | null =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, Schema.Json>>)
    : null

/** The items of a JSON array; `null` for anything else. */
export const itemsOf = (value: Schema.Json | undefined): ReadonlyArray<Schema.Json> | null =>
  Array.isArray(value) ? (value as ReadonlyArray<Schema.Json>) : null

/** One step of a JSON pointer. */
export const step = (name: string | number): string => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`

/** The names of the settings that are secret. */
export const secretNames = (schema: PluginSchema): ReadonlyArray<string> =>
  Object.entries(membersOf(membersOf(schema)?.["properties"]) ?? {})
    .filter(([, each]) => membersOf(each)?.[secretKeyword] === true)
    .map(([name]) => name)
