import { events as eventCalls } from "./calls.generated.ts"
import { followEvents } from "./follow.ts"

export * from "./calls.generated.ts"

/** The feed of events. */
export const events = { ...eventCalls, follow: followEvents }
