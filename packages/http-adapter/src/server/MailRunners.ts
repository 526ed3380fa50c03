import { MailQueue, MailSettings, sendMails } from "@parley/domain"
import { Effect, Layer } from "effect"
import { ServerConfig } from "./ServerConfig.ts"
import { forever, newsOrWhile, untilDue } from "./waiting.ts"

/**
 * Sends mails in this process, next to its requests. It is woken when there is one, and looks by itself each second. When
 * the process is stopped, a mail under way is heard out.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { sendsMail } = yield* MailSettings
    const { jobLookMillis = 1_000 } = yield* ServerConfig
    const queue = yield* MailQueue
    if (!sendsMail) return
    const pause = Effect.flatMap(untilDue(queue.nextDue, jobLookMillis), (millis) =>
      newsOrWhile(queue.awaitNews, millis)
    )
    yield* forever("A sender of mails", jobLookMillis, sendMails, pause)
  })
)
