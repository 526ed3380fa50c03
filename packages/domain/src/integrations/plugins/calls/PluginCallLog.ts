import { Schema } from "effect"
import { ContactId } from "../../../crm/index.ts"
import { shownWith, Timestamp } from "../../../kernel/index.ts"
import { AttemptRequest, AttemptResponse, attemptResultFields } from "../../webhooks/index.ts"
import { PluginCall, PluginCallError, PluginCaller } from "./PluginCall.ts"

/** Request for an action, with its result. */
export class PluginCallAttempt extends Schema.Class<PluginCallAttempt>("PluginCallAttempt")({
  ...attemptResultFields,
  request: Schema.NullOr(AttemptRequest).annotateKey({
    description:
      "Request to the plugin; null without the permissions contacts.read, conversations.read and commerce.read."
  }),
  response: Schema.NullOr(AttemptResponse)
    .annotateKey({
      description:
        "Answer of the plugin; null without an answer, and without the permissions contacts.read, conversations.read and commerce.read."
    })
    .pipe(shownWith("contacts.read"))
}) {}

/** Call of an action with its requests. */
export class PluginCallLog extends Schema.Class<PluginCallLog>("PluginCallLog")({
  ...PluginCall.fields,
  error: Schema.NullOr(PluginCallError)
    .annotateKey({
      description:
        "Reason of the failure, with the message of the plugin; null without a failure, and without the permissions contacts.read, conversations.read and commerce.read."
    })
    .pipe(shownWith("contacts.read")),
  caller: PluginCaller,
  runId: Schema.String.annotateKey({ description: "Id of the automation run or workflow run that called the action." }),
  contactId: Schema.NullOr(ContactId).annotateKey({
    description: "Id of the contact of the run; null after its deletion."
  }),
  at: Timestamp,
  log: Schema.Array(PluginCallAttempt).annotateKey({
    description: "Requests of the last 7 days, latest first; empty after the deletion of the contact."
  })
}) {}
