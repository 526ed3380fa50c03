import type { ChatChannel } from "@parley/domain/messaging"

/** A channel that has everything. */
export type WholeChannel = {
  readonly [Need in Exclude<keyof ChatChannel, "endpoints">]: NonNullable<ChatChannel[Need]>
} & Pick<ChatChannel, "endpoints">
