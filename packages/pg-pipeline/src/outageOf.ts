import { Predicate } from "effect"
import type { SqlError } from "effect/sql"

/** Why the database could not be used, and what that means for a change. */
export interface Outage {
  /** Reason for operators. */
  readonly reason: string
  /** Whether the change was certainly not made. */
  readonly outcome: "not_made" | "unknown"
  /** Whether the database is unavailable for all callers. If false, only this statement was rejected or took too long. */
  readonly isAway: boolean
}

/** Operations whose failure leaves the result open: a commit, or a write outside of a transaction. */
export const leavesOpen = { commit: "commit", write: "write" } as const

const open: ReadonlySet<unknown> = new Set(Object.values(leavesOpen))

/**
 * Operation of every failure during the start of a session. No SQLSTATE makes it an internal error: a database without connections, a role without
 * login and a wrong password prevent every statement.
 */
export const connecting = "connect"

/** The connection is lost, or the server rejects the session. */
const away: ReadonlySet<string> = new Set(["AuthenticationError", "ConnectionError"])

/** The server lacks resources, stops or starts, has a system failure, or is read-only. */
const awayStates = /^(?:53|57P|58|25006$|25P03$|25P04$)/

/** The statement conflicted with others or took too long. */
const contended: ReadonlySet<string> = new Set([
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
])

/** With these answers to a commit, the server has rolled back everything. */
const rolledBack = /^(?:23|40)/

/** SQLSTATE of the failure; empty if the server gave none. */
export const sqlStateOf = ({ reason: { cause } }: SqlError.SqlError): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

/** Message of a failure. */
export const messageOf = ({ reason }: SqlError.SqlError) =>
  Predicate.hasProperty(reason.cause, "message") && reason.cause.message !== ""
    ? String(reason.cause.message)
    : (reason.message ?? reason._tag)

/** The outage behind a driver failure; `null` for an internal error. */
export const outageOf = (error: SqlError.SqlError): Outage | null => {
  const { _tag, operation } = error.reason
  const state = sqlStateOf(error)
  const isAway = operation === connecting || away.has(_tag) || awayStates.test(state)
  if (!isAway && !contended.has(_tag)) return null
  const isOpen = open.has(operation) && !rolledBack.test(state)
  return { reason: messageOf(error), outcome: isOpen ? "unknown" : "not_made", isAway }
}
