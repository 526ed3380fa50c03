import { Schema } from "effect"
import { MemberId } from "../../../platform/identity/index.ts"
import type { UserId } from "../../../kernel/index.ts"

const Some = Schema.Array(MemberId).check(
  Schema.isBetweenLength(1, 100, { message: "Expected 1 to 100 members" }),
  Schema.isUnique({ message: "Expected each member once" })
)

/** Among whom a conversation is handed out by itself, and what becomes of it where nobody is free. */
export const AutoAssignment = Schema.Struct({
  memberIds: Schema.NullOr(Some).annotateKey({ description: "Null: anybody who may work on conversations." }),
  sticky: Schema.Boolean.annotateKey({
    description: "Whether who looked after the contact last goes before everybody else."
  }),
  whenNone: Schema.Literals(["queue", "leave"]).annotateKey({
    description: "Whether it waits for somebody to be free, for 24 hours, or stays as it is."
  })
}).annotate({ identifier: "AutoAssignment" })
export type AutoAssignment = typeof AutoAssignment.Type

/** What it has come to. Conversations that somebody looks after, or that are resolved, stay as they are. */
export type AutoAssigned =
  | { readonly kind: "assigned"; readonly assigneeId: UserId }
  | { readonly kind: "queued" }
  | { readonly kind: "unchanged" }
