import { Schema } from "effect"

/** Whoever asks to have the webhook verified does not know its verify token. */
export class WebhookForbidden extends Schema.TaggedError<WebhookForbidden>()("WebhookForbidden", {}) {
  override get message() {
    return "The verify token is not the one of this webhook."
  }
}

/** The delivery is not signed with a secret that is good for this webhook, whether there is such an organization or not. */
export class WebhookSignatureInvalid extends Schema.TaggedError<WebhookSignatureInvalid>()(
  "WebhookSignatureInvalid",
  {}
) {
  override get message() {
    return "The delivery is not signed with the app secret of this webhook."
  }
}
