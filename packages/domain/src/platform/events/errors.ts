import { Schema } from "effect"

/** No event consumer has ever had this name. */
export class EventConsumerUnknown extends Schema.TaggedError<EventConsumerUnknown>()("EventConsumerUnknown", {
  name: Schema.String
}) {
  override get message() {
    return `The event consumer ${this.name} does not exist.`
  }
}

/** The code still declares the event consumer. It would restart immediately and handle some events twice. */
export class EventConsumerDeclared extends Schema.TaggedError<EventConsumerDeclared>()("EventConsumerDeclared", {
  name: Schema.String
}) {
  override get message() {
    return `The event consumer ${this.name} is still in the code. Only removed event consumers can be forgotten.`
  }
}
