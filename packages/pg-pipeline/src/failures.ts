import { SqlError } from "effect/sql"
import { connecting, leavesOpen, messageOf, sqlStateOf } from "./outageOf.ts"

/** A connection failure with a message for operators. */
export const connectionFailure = (message: string, operation: string, cause: unknown = new Error(message)) =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message, operation }) })

/** A failure before the session is ready. The server message stays available as its cause. */
export const whileConnecting = (error: SqlError.SqlError) =>
  error.reason.operation === connecting ? error : connectionFailure(messageOf(error), connecting, error.reason.cause)

const reads = /^\s*(?:select|show|values)\b/iu
const readsWith = /^\s*with\b/iu
const writes = /\b(?:insert|update|delete|merge)\b/iu

/** Whether the statement only reads and can be lost safely. */
export const isRead = (statement: string) =>
  reads.test(statement) || (readsWith.test(statement) && !writes.test(statement))

/** The server was stopped or gave no further answer. */
const isUndecided = (state: string) => state === "" || /^(?:08|57P)/u.test(state)

const asOpen = (error: SqlError.SqlError, operation: string) =>
  connectionFailure(error.reason.message ?? "The connection was lost", operation, error.reason.cause)

/** A statement outside of a transaction commits automatically. A lost one can have been executed. */
export const autocommitLoss = (statement: string) => (error: SqlError.SqlError) =>
  error.reason._tag !== "ConnectionError" && !sqlStateOf(error).startsWith("57P")
    ? error
    : isRead(statement) || !isUndecided(sqlStateOf(error))
      ? error
      : asOpen(error, leavesOpen.write)

/** A failed commit can have happened, unless the server reported a rollback. */
export const commitFailure = (error: SqlError.SqlError) =>
  /^(?:23|40)/u.test(sqlStateOf(error)) ? error : asOpen(error, leavesOpen.commit)

/** Failure of a statement that was sent with a commit. If the server reported it and still answers, no commit happened. */
export const commitLoss = (error: SqlError.SqlError) =>
  isUndecided(sqlStateOf(error)) ? asOpen(error, leavesOpen.commit) : error

/** The server is read-only or about to end, so sessions must leave it. */
export const isShutdownNotice = (error: SqlError.SqlError) => /^(?:25006$|57P)/u.test(sqlStateOf(error))

/** The server is available but accepts no further session. */
export const isFull = (error: SqlError.SqlError) => sqlStateOf(error) === "53300"
