import { type FilteredValueToken, type FilterToken, type Token, TypeGuards } from "liquidjs/dist/liquid.browser.mjs"
import { filterArguments, timeOfText } from "./filters.ts"
import { unknownDirective } from "./formatTime.ts"

interface Placed {
  readonly at: Token
  readonly message: string
}

const names = Object.keys(filterArguments).join(", ")

const countFault = (count: number, [least, most]: readonly [number, number]): string | null => {
  if (count >= least && count <= most) return null
  return least === most ? `Expected ${least} values after it` : `Expected ${least} to ${most} values after it`
}

const formatFault = ([format]: FilterToken["args"]): string | null => {
  if (format === undefined || !("kind" in format) || !TypeGuards.isQuotedToken(format)) return null
  const directive = typeof format.content === "string" ? unknownDirective(format.content) : null
  return directive === null ? null : `There is no ${directive} in formats of dates`
}

const faultOf = ({ args, name }: FilterToken): string | null => {
  const counts = Object.hasOwn(filterArguments, name) ? filterArguments[name] : undefined
  if (counts === undefined) return `There is no filter ${name}: expected one of ${names}`
  if (args.some((arg) => !("kind" in arg))) return `Expected values without names after ${name}`
  const fault = countFault(args.length, counts)
  if (fault !== null) return `${fault}: ${name}`
  return name === "date" ? formatFault(args) : null
}

/** What is sent at another time than it is written cannot say today. */
const dayFault = ({ filters: [first], initial: { postfix } }: FilteredValueToken): ReadonlyArray<Placed> => {
  const [token] = postfix
  if (first?.name !== "date" || token === undefined || !TypeGuards.isQuotedToken(token)) return []
  return timeOfText(String(token.content)) === null
    ? [{ at: token, message: "Expected a date such as 2026-03-01: now and today are not known here" }]
    : []
}

/** What is wrong with the filters of a value. */
export const faultsOfFilters = (value: FilteredValueToken): ReadonlyArray<Placed> => [
  ...dayFault(value),
  ...value.filters.flatMap((filter) => {
    const message = faultOf(filter)
    return message === null ? [] : [{ at: filter, message }]
  })
]
