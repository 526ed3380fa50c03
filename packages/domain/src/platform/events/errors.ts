import { Schema } from "effect"

/** No event consumer has ever had this name. */
export class EventConsumerUnknown extends Schema.TaggedError<EventConsumerUnknown>()("SubscriberUnknown", {
  name: Schema.String
}) {
  override get message() {
    return `There is no subscriber ${this.name}.`
  }
}

/** The code still declares the event consumer. It would restart immediately and handle some events twice. */
export class EventConsumerDeclared extends Schema.TaggedError<EventConsumerDeclared>()("SubscriberDeclared", {
  name: Schema.String
}) {
  override get message() {
    return `The subscriber ${this.name} is still in the code: only one that is gone from it can be forgotten.`
  }
}
