import { Predicate } from "effect"
import type { Drawing } from "../drawing.ts"
import { type Operation, type Reader, typesOf } from "./contract.ts"

/** A request as it is sent. */
export interface Drawn {
  readonly path: string
  readonly type: string | null
  readonly body: string | null
  /** The defect that must lead to a refusal; `null` if the request can be valid. */
  readonly wrong: string | null
}

/** The ids from answers, by area. */
export type Known = Map<string, Array<string>>

const absent = "01934b78-4c50-7d77-8f91-607182930415"
const odd = [" ", "0", "null", "%00", "../..", "🥐", "%ff", "a".repeat(300), "'; --", absent]
const uuid = /^[0-9a-f]{8}-[0-9a-f-]{27}$/
const renamed = new Set(["name", "slug", "title", "shortcut"])
const others = [7, "text", true, { a: 1 }, [1], null]
const kindOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value)

const oddValues = [
  "",
  "x".repeat(5_000),
  -1,
  0,
  2 ** 53,
  1e300,
  null,
  true,
  [],
  {},
  "\u0000",
  "🥐",
  "9999-12-31T23:59:59Z"
]

/** Draws requests for calls from their examples, valid and invalid. */
export const requestDrawing = (draws: Drawing, reader: Reader, known: Known) => {
  const anyId = (area: string) => {
    const own = known.get(area) ?? []
    const all = own.length > 0 && draws.chance(0.85) ? own : [...known.values()].flat()
    return all.length === 0 ? absent : draws.pick(all)
  }

  const pathOf = ({ path }: Operation) =>
    path.replaceAll(
      /([^/]+)\/\{(\w+)\}/g,
      (_, area: string) => `${area}/${draws.chance(0.08) ? encodeURIComponent(draws.pick(odd)) : anyId(area)}`
    )

  /** The example with ids that are there, under new names. */
  const fresh = (value: unknown, area: string, name = ""): unknown => {
    if (Array.isArray(value)) return value.map((each) => fresh(each, area, name))
    if (Predicate.isObject(value)) {
      return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, fresh(each, area, key)]))
    }
    if (typeof value !== "string") return value
    if (uuid.test(value) && draws.chance(0.9)) {
      const named = `${name.replace(/Id$/, "").replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}s`
      return anyId([named, name].find((each) => known.has(each)) ?? area)
    }
    if (renamed.has(name) && draws.chance(0.8)) return `${value}${draws.between(1, 9_999)}`
    if (name === "email") return `person-${draws.between(1, 300)}@bench.example`
    if (name === "phone" && value.startsWith("+")) return `+49151${draws.between(10_000_000, 10_000_400)}`
    return value
  }

  const queryOf = ({ parameters }: Operation): { readonly text: string; readonly wrong: string | null } => {
    const query = new URLSearchParams()
    let wrong: string | null = null
    for (const { in: place, name, required, schema } of parameters) {
      if (place !== "query" || !(required || draws.chance(0.12))) continue
      const types = typesOf(reader, schema)
      const choices = reader.shapes(schema).flatMap((shape) => reader.list(reader.at(shape, "enum")).map(String))
      if (types?.has("integer") && types.size === 1 && draws.chance(0.2)) {
        query.set(name, draws.pick(["+5", "1e1", "x", "05"]))
        wrong = `${name} is no number`
      } else if (types?.has("integer")) query.set(name, String(draws.between(1, 100)))
      else if (reader.at(schema, "format") === "date-time" && draws.chance(0.8)) query.set(name, "2026-03-01T09:30:00Z")
      else if (choices.length > 0 && draws.chance(0.9)) query.set(name, draws.pick(choices))
      else query.set(name, draws.chance(0.5) ? anyId(`${name}s`) : draws.pick(odd))
    }
    if (parameters.some(({ in: place }) => place === "query") && draws.chance(0.08)) {
      query.set("surplus", "1")
      wrong = "the parameter surplus is unknown"
    }
    return { text: query.size === 0 ? "" : `?${query.toString()}`, wrong }
  }

  const bodyOf = (
    body: NonNullable<Operation["body"]>,
    area: string
  ): { readonly text: string; readonly wrong: string | null } => {
    const good = fresh(body.example, area)
    if (typeof good === "string") return { text: good, wrong: null }
    if (!Predicate.isObject(good) || body.fields.size === 0 || draws.chance(0.25)) {
      return { text: JSON.stringify(good), wrong: null }
    }
    if (draws.chance(0.4)) {
      const kept = Object.entries(good).filter(([name]) => body.required.has(name) || draws.chance(0.3))
      return { text: JSON.stringify(Object.fromEntries(kept)), wrong: null }
    }
    const choice = draws.between(0, 3)
    const names = Object.keys(good).filter((name) => body.fields.has(name))
    if (choice === 0 || names.length === 0) {
      return { text: JSON.stringify({ ...good, surplus: 1 }), wrong: "the field surplus is unknown" }
    }
    const name = draws.pick(names)
    if (choice === 1) {
      const types = typesOf(reader, body.fields.get(name))
      const fits = (value: unknown) =>
        types?.has(kindOf(value)) === true || (types?.has("integer") && kindOf(value) === "number")
      const bad = types === null ? [] : others.filter((value) => !fits(value))
      if (bad.length > 0) {
        return { text: JSON.stringify({ ...good, [name]: draws.pick(bad) }), wrong: `${name} is of another type` }
      }
    }
    if (choice === 2) return { text: JSON.stringify({ ...good, [name]: draws.pick(oddValues) }), wrong: null }
    return {
      text: JSON.stringify(Object.fromEntries(Object.entries(good).filter(([each]) => each !== name))),
      wrong: null
    }
  }

  return (operation: Operation): Drawn => {
    const path = pathOf(operation)
    const query = queryOf(operation)
    const { body } = operation
    if (body === null) return { path: path + query.text, type: null, body: null, wrong: query.wrong }
    const drawn = bodyOf(body, operation.path.split("/")[3] ?? "")
    return { path: path + query.text, type: body.type, body: drawn.text, wrong: query.wrong ?? drawn.wrong }
  }
}
