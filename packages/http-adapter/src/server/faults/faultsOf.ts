import { type Fault, faultsOfIssue } from "@parley/domain"
import type { SchemaIssue } from "effect"
import { type RequestPart, requestParts } from "../requestParts.ts"

export { mostFaults } from "@parley/domain"

/** What the fields of each part of a request are called. */
const nouns = { Params: "part of the path", Headers: "header", Query: "parameter", Payload: "field" } as const

/** The first faults of an issue in a part of a request. */
export const faultsOf = (issue: SchemaIssue.Issue, input: unknown, part: RequestPart): ReadonlyArray<Fault> =>
  faultsOfIssue(issue, input, {
    noun: nouns[part],
    repeated: part === "Query" ? "Expected this parameter only once" : null
  }).map(({ message, pointer }) => ({ pointer: requestParts[part] + pointer, message }))
