import { Effect, Layer } from "effect"
import { mailerContract, MailServerSide } from "../src/contracts/index.ts"
import { layer, SentMails } from "../src/memory/platform/mail/Mailer.ts"

const side = Layer.effect(
  MailServerSide,
  Effect.map(SentMails, (mails) =>
    MailServerSide.of({
      takenFor: (email) => mails.to(email),
      refuseNext: mails.next("refused"),
      deferNext: mails.next("unreachable")
    })
  )
)

mailerContract("in memory", Layer.provideMerge(side, layer))
