import { Schema } from "effect"
import { MessageError } from "../Message.ts"

/** The message cannot be sent, and trying again would not help. */
export class CannotSend extends Schema.TaggedError<CannotSend>()("CannotSend", {
  error: MessageError
}) {
  override get message() {
    return this.error.reason
  }
}

/** Why a message cannot be sent, found before anybody was asked. */
export const cannotSend = (code: string, reason: string) =>
  new CannotSend({ error: { code, providerCode: null, reason } })
