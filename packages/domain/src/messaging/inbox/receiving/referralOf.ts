import type { InboundReferral } from "../../chat/index.ts"
import type { Referral } from "../MessageDetails.ts"
import { plainOrNull } from "./plainText.ts"

const mostCharacters = 2_048

const bounded = (text: string | null) =>
  plainOrNull(text === null ? null : text.slice(0, mostCharacters).toWellFormed())

/** The advertisement that a message came from, as it is kept. */
export const referralOf = (told: InboundReferral | undefined): Referral | null =>
  told === undefined
    ? null
    : {
        sourceType: bounded(told.sourceType),
        sourceId: bounded(told.sourceId),
        sourceUrl: bounded(told.sourceUrl),
        headline: bounded(told.headline),
        body: bounded(told.body),
        mediaType: bounded(told.mediaType),
        mediaUrl: bounded(told.mediaUrl),
        clickId: bounded(told.clickId)
      }
