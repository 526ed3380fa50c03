import { Schema } from "effect"

/** Nobody has ever followed events by this name. */
export class EventConsumerUnknown extends Schema.TaggedError<EventConsumerUnknown>()("SubscriberUnknown", {
  name: Schema.String
}) {
  override get message() {
    return `There is no subscriber ${this.name}.`
  }
}

/** The code still has the subscriber: it would follow again at once, and some of it twice. */
export class EventConsumerDeclared extends Schema.TaggedError<EventConsumerDeclared>()("SubscriberDeclared", {
  name: Schema.String
}) {
  override get message() {
    return `The subscriber ${this.name} is still in the code: only one that is gone from it can be forgotten.`
  }
}
