import type { SourceEvent } from "./SourceEvent.ts"

/** What changes many things at once starts nothing about each of them. */
export const isBulk = (event: SourceEvent): boolean =>
  event.type === "conversation.status_changed" && event.bulk === true
