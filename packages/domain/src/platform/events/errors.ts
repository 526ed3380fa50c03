import { Schema } from "effect"

/** Nobody has ever followed events by this name. */
export class SubscriberUnknown extends Schema.TaggedError<SubscriberUnknown>()("SubscriberUnknown", {
  name: Schema.String
}) {
  override get message() {
    return `There is no subscriber ${this.name}.`
  }
}

/** The code still has the subscriber: it would follow again at once, and some of it twice. */
export class SubscriberDeclared extends Schema.TaggedError<SubscriberDeclared>()("SubscriberDeclared", {
  name: Schema.String
}) {
  override get message() {
    return `The subscriber ${this.name} is still in the code: only one that is gone from it can be forgotten.`
  }
}
