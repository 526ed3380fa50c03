import { Predicate } from "effect"
import { plainRefusal, type Refusal, refusal, userRefusal } from "./failures.ts"

/** First error of a call, which is the response. */
export class Refused {
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** Ends a check with a refusal. */
export const refuse = (code: number, details: string, status?: number): never => {
  throw new Refused(refusal(code, details, status))
}

/** Ends a management call with a refusal whose message is in the answer. */
export const refusePlainly = (code: number, message: string, subcode?: number): never => {
  throw new Refused(plainRefusal(code, message, subcode))
}

/** Ends a management call with a subcode and a text for users. */
export const refuseForUser = (subcode: number | null, title: string, message: string): never => {
  throw new Refused(userRefusal(subcode, title, message))
}

export type Fields = Readonly<Record<string, unknown>>

/** An object with no other keys than these. */
export const objectAt = (value: unknown, name: string, keys?: ReadonlyArray<string>): Fields => {
  if (!Predicate.isObject(value) || Array.isArray(value)) return refuse(100, `Expected ${name} to be an object.`)
  const strange = keys === undefined ? undefined : Object.keys(value).find((key) => !keys.includes(key))
  return strange === undefined ? value : refuse(100, `Unexpected key "${strange}" on param "${name}".`)
}

/** A text of a length. */
export const textAt = (value: unknown, name: string, most: number, least = 1): string => {
  if (value === undefined && least > 0) return refuse(131_008, `The parameter ${name} is required.`)
  if (!Predicate.isString(value)) return refuse(100, `Param ${name} must be a string.`)
  // Meta does not say how it counts. Like the domain, this counts an emoji outside of the basic plane once.
  const length = Array.from(value).length
  return length < least || length > most
    ? refuse(131_009, `Param ${name} must have ${least} to ${most} characters.`)
    : value
}

/** A text that may be absent. */
export const textIfAny = (value: unknown, name: string, most: number): string | null =>
  value === undefined ? null : textAt(value, name, most, 0)

/** A list of a length. */
export const listAt = (value: unknown, name: string, most: number, least = 1): ReadonlyArray<unknown> => {
  if (!Array.isArray(value)) return refuse(100, `Param ${name} must be an array.`)
  return value.length < least || value.length > most
    ? refuse(131_009, `Param ${name} must have ${least} to ${most} entries.`)
    : value
}

/** One of some words. */
export const oneOf = <Word extends string>(value: unknown, name: string, words: ReadonlyArray<Word>): Word =>
  words.find((word) => word === value) ??
  refuse(100, `Param ${name} must be one of {${words.join(", ").toUpperCase()}}.`)

/** A number within bounds. */
export const numberAt = (value: unknown, name: string, least: number, most: number): number =>
  Predicate.isNumber(value) && value >= least && value <= most
    ? value
    : refuse(131_009, `Param ${name} must be a number from ${least} to ${most}.`)
