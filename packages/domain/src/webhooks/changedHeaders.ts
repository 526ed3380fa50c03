import { Effect } from "effect"
import { ValidationFailed } from "../kernel/index.ts"

/** The headers from now on: each has the value that is said, or keeps the one that it has. */
export const changedHeaders = Effect.fnUntraced(function* (
  before: Readonly<Record<string, string>>,
  said: Readonly<Record<string, string | null>>
) {
  const after = Object.entries(said).map(([written, value]): readonly [string, string | null] => {
    const name = written.toLowerCase()
    return [name, value ?? (Object.hasOwn(before, name) ? (before[name] ?? null) : null)]
  })
  const errors = after.flatMap(([name, value]) =>
    value === null
      ? [{ pointer: `/headers/${name.replaceAll("~", "~0")}`, message: "There is no value for this header yet" }]
      : []
  )
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  return Object.fromEntries(after.map(([name, value]) => [name, value ?? ""]))
})
