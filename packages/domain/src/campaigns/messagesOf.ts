import type { MessageTemplateId } from "../messaging/chat/index.ts"
import type { BroadcastDefinition, VariantKey } from "./Broadcast.ts"
import type { Variables } from "./values/Value.ts"

/** What a broadcast sends: a template with its values, and where in the broadcast they stand. */
export interface BroadcastMessage {
  /** `null` where there is one message for all. */
  readonly variant: VariantKey | null
  /** `null` in a draft that has no template yet. */
  readonly templateId: MessageTemplateId | null
  readonly variables: Variables
  readonly pointer: string
}

/** The messages of a broadcast: its variants, or the one for all. */
export const messagesOf = ({
  templateId,
  variables,
  variants
}: Pick<BroadcastDefinition, "templateId" | "variables" | "variants">): ReadonlyArray<BroadcastMessage> =>
  variants === null
    ? [{ variant: null, templateId, variables, pointer: "" }]
    : variants.map(({ key, templateId, variables }, place) => ({
        variant: key,
        templateId,
        variables,
        pointer: `/variants/${place}`
      }))
