import { Drop } from "liquidjs/dist/liquid.browser.mjs"
import type { AttributeValue, ContactField } from "../../../crm/index.ts"
import { type ContactPath, readPath, type ValueContact } from "../BroadcastValue.ts"
import { parseDayMillis } from "../LocaleFormat.ts"
import { Structure } from "./Structure.ts"

/** Without this type, the class declaration would reference the template library, whose types need Node. */
const Base: new () => object = Drop

/** A date of a contact: compared as its stored text, and written in the language of the template. */
export class LocalDay extends Base {
  readonly text: string
  readonly time: number

  constructor(text: string, time: number) {
    super()
    this.text = text
    this.time = time
  }

  override valueOf(): string {
    return this.text
  }
}

/** Names of a variable, outermost first. */
export type NamedPath = ReadonlyArray<string>

/** Value at a path; `null` if empty. */
export type ScopeValue = string | number | boolean | Structure | null

type Scope = Record<string, unknown>

const emptyScope = (): Scope => Object.create(null)

const nestedScope = (scope: Scope, name: string): Scope => {
  const inner = scope[name]
  return typeof inner === "object" && inner !== null && !(inner instanceof LocalDay) ? (inner as Scope) : emptyScope()
}

/** Merges a value with nested values that other paths have added before. */
const mergeValue = (value: ScopeValue, before: unknown): unknown => {
  const day = typeof value === "string" ? parseDayMillis(value) : null
  if (day !== null && typeof value === "string") return new LocalDay(value, day)
  if (typeof before !== "object" || before === null) return value
  return value instanceof Structure ? Object.assign(value, before) : before
}

/** Builds the scope of a source from its variables. */
export const liquidScope = (named: ReadonlyArray<NamedPath>, lookup: (path: NamedPath) => ScopeValue): object => {
  const scope = emptyScope()
  for (const path of named) {
    let place = scope
    for (const name of path.slice(0, -1)) {
      const inner = nestedScope(place, name)
      place[name] = inner
      place = inner
    }
    const last = path.at(-1)
    if (last !== undefined) place[last] = mergeValue(lookup(path), place[last])
  }
  return scope
}

const asDay = (value: AttributeValue | null, type: ContactField["type"] | undefined) => {
  const time = type === "date" && typeof value === "string" ? parseDayMillis(value) : null
  return typeof value === "string" && time !== null ? new LocalDay(value, time) : value
}

/** Builds the scope of a contact with only the referenced fields. Empty fields are absent. */
export const contactScope = (
  contact: ValueContact,
  named: ReadonlyArray<ContactPath>,
  types: ReadonlyMap<string, ContactField["type"]>
): object => {
  const attribute: Record<string, unknown> = Object.create(null)
  const scope: Record<string, unknown> = Object.create(null)
  scope["attribute"] = attribute
  for (const path of named) {
    const value = readPath(contact, path)
    if (path.key === undefined) scope[path.field] = value
    else attribute[path.key] = asDay(value, types.get(path.key))
  }
  return scope
}
