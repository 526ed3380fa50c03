import { type Fault, faultsOfIssue } from "@parley/domain"
import type { SchemaIssue } from "effect"

/** What a service calls a parameter of its address is a flag here. */
const placeIn = (pointer: string): string => pointer.replace(/^\/query(?=\/)/u, "")

/** A fault with its place, where it has one. */
export const placed = ({ message, pointer }: Fault): string =>
  pointer === "" ? message : `${placeIn(pointer)}: ${message}`

/** Every fault of a value that somebody wrote, a line each. */
export const faultLines = (issue: SchemaIssue.Issue, written: unknown): string =>
  faultsOfIssue(issue, written).map(placed).join("\n")
