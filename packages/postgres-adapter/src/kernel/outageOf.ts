import { StorageUnavailable } from "@parley/domain"
import { Predicate } from "effect"
import type { SqlError } from "effect/sql"

/** What a statement was doing whose failure leaves open whether it was done: a commit, or a write outside of a transaction. */
export const leavesOpen = { commit: "commit", write: "write" } as const

const open: ReadonlySet<unknown> = new Set(Object.values(leavesOpen))

/**
 * Operation of every failure during the start of a session. No SQLSTATE makes it an internal error: a database without connections, a role without
 * login and a wrong password prevent every statement.
 */
export const connecting = "connect"

/** The connection is lost, or the server rejects the session. */
const away: ReadonlySet<string> = new Set(["AuthenticationError", "ConnectionError"])

/** The server has too little of something, is stopped or started, fails below us, or is only to be read. */
const awayStates = /^(?:53|57P|58|25006$|25P03$|25P04$)/

/** The statement lost to others, or took too long. */
const contended: ReadonlySet<string> = new Set([
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
])

/** A server that answers a commit with one of these has taken everything back. */
const takenBack = /^(?:23|40)/

/** What the server calls the failure; empty when it did not say anything. */
export const sqlStateOf = ({ reason: { cause } }: SqlError.SqlError): string =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" ? cause.code : ""

/** What a failure says of itself. */
export const wordsOf = ({ reason }: SqlError.SqlError) =>
  Predicate.hasProperty(reason.cause, "message") && reason.cause.message !== ""
    ? String(reason.cause.message)
    : (reason.message ?? reason._tag)

/** The outage behind a driver failure; `null` for an internal error. */
export const outageOf = (error: SqlError.SqlError): StorageUnavailable | null => {
  const { _tag, operation } = error.reason
  const state = sqlStateOf(error)
  const isAway = operation === connecting || away.has(_tag) || awayStates.test(state)
  if (!isAway && !contended.has(_tag)) return null
  const isOpen = open.has(operation) && !takenBack.test(state)
  return new StorageUnavailable({
    reason: wordsOf(error),
    outcome: isOpen ? "unknown" : "not_made",
    isAway,
    cause: error
  })
}
