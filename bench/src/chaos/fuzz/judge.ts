import { Predicate } from "effect"
import { type Check } from "../verdict.ts"
import { type Answer, fieldOf } from "./ask.ts"
import type { Operation } from "./contract.ts"
import type { Drawn, Known } from "./draw.ts"

const mostKnown = 40

/** Stores the ids of an answer for later requests. */
export const learn = (value: unknown, area: string, known: Known): void => {
  if (Array.isArray(value)) {
    for (const each of value.slice(0, 5)) learn(each, area, known)
    return
  }
  const id = fieldOf(value, "id")
  const ids = known.get(area) ?? []
  if (id !== "" && !ids.includes(id)) known.set(area, [...ids, id].slice(-mostKnown))
  if (Predicate.hasProperty(value, "data")) learn(value.data, area, known)
}

const isProblem = ({ json, status, type }: Answer, codes: ReadonlySet<string>) =>
  type.startsWith("application/problem+json") &&
  codes.has(fieldOf(json, "code")) &&
  fieldOf(json, "status") === String(status) &&
  fieldOf(json, "detail") !== "" &&
  fieldOf(json, "requestId") !== ""

/** Compares answers with the contract. */
export const makeJudge = () => {
  const faults = {
    failed: Array<string>(),
    undeclared: Array<string>(),
    malformed: Array<string>(),
    taken: Array<string>()
  }
  let looked = 0
  let bent = 0
  return {
    look: (operation: Operation, { wrong }: Drawn, answer: Answer, text: string) => {
      looked += 1
      if (wrong !== null) bent += 1
      const codes = operation.answers.get(answer.status)
      if (answer.status === 0 || answer.status === 500) faults.failed.push(text)
      else if (codes === undefined) faults.undeclared.push(text)
      else if (answer.status >= 400 && !isProblem(answer, codes)) faults.malformed.push(text)
      else if (answer.status < 400 && wrong !== null) faults.taken.push(text)
    },
    checks: (): ReadonlyArray<Check> => [
      { invariant: "nothing fails inside", looked, faults: faults.failed },
      { invariant: "every status is declared by its call", looked, faults: faults.undeclared },
      { invariant: "every problem is declared by its call", looked, faults: faults.malformed },
      { invariant: "invalid requests are refused", looked: bent, faults: faults.taken }
    ]
  }
}
