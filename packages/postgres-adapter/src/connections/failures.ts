import { SqlError } from "effect/sql"
import { connecting, leavesOpen, sqlStateOf, wordsOf } from "../kernel/outageOf.ts"

/** A failure of connections, in the words of an operator. */
export const connectionFailure = (message: string, operation: string, cause: unknown = new Error(message)) =>
  new SqlError.SqlError({ reason: new SqlError.ConnectionError({ cause, message, operation }) })

/** A failure before the session is ready. The server message stays available as its cause. */
export const whileConnecting = (error: SqlError.SqlError) =>
  error.reason.operation === connecting ? error : connectionFailure(wordsOf(error), connecting, error.reason.cause)

const reads = /^\s*(?:select|show|values)\b/iu
const readsWith = /^\s*with\b/iu
const writes = /\b(?:insert|update|delete|merge)\b/iu

/** Whether it only reads, and so may be lost. */
export const isRead = (statement: string) =>
  reads.test(statement) || (readsWith.test(statement) && !writes.test(statement))

/** The server was told to stop, or said nothing more. */
const isUndecided = (state: string) => state === "" || /^(?:08|57P)/u.test(state)

const asOpen = (error: SqlError.SqlError, operation: string) =>
  connectionFailure(error.reason.message ?? "The connection was lost", operation, error.reason.cause)

/** A statement outside of a transaction commits by itself: one that was lost on the way may have been carried out. */
export const lostAlone = (statement: string) => (error: SqlError.SqlError) =>
  error.reason._tag !== "ConnectionError" && !sqlStateOf(error).startsWith("57P")
    ? error
    : isRead(statement) || !isUndecided(sqlStateOf(error))
      ? error
      : asOpen(error, leavesOpen.write)

/** A commit that failed was made or not, unless the server has said that it took everything back. */
export const lostCommit = (error: SqlError.SqlError) =>
  /^(?:23|40)/u.test(sqlStateOf(error)) ? error : asOpen(error, leavesOpen.commit)

/** What was sent with a commit: where the server has said why it failed, and can still say so, there was nothing to commit. */
export const lostWithCommit = (error: SqlError.SqlError) =>
  isUndecided(sqlStateOf(error)) ? asOpen(error, leavesOpen.commit) : error

/** The server is only to be read, or is about to end: nobody should stay with it. */
export const isFarewell = (error: SqlError.SqlError) => /^(?:25006$|57P)/u.test(sqlStateOf(error))

/** The server is there and has no room for one more. */
export const isFull = (error: SqlError.SqlError) => sqlStateOf(error) === "53300"
