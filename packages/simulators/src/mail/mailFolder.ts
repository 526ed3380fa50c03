import { type EmailMessage, Mailer, MailerUnreachable } from "@parley/domain/platform"
import { DateTime, Effect, FileSystem, Layer, Option, Path, Schema } from "effect"

/** Mail stored instead of sent. */
const Kept = Schema.fromJsonString(
  Schema.Struct({
    sentAt: Schema.DateTimeUtcFromString,
    to: Schema.String,
    subject: Schema.String,
    text: Schema.String,
    html: Schema.String
  })
)
export type KeptMail = typeof Kept.Type

const nameOf = (mail: EmailMessage, at: DateTime.Utc) => `${DateTime.toEpochMillis(at)}-${mail.id}.json`

/** The mails in the folder, newest last. A file that is none of them is passed over. */
export const mailsIn = Effect.fnUntraced(function* (directory: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = yield* Effect.orElseSucceed(fs.readDirectory(directory), (): ReadonlyArray<string> => [])
  const mails = yield* Effect.forEach(names.filter((name) => name.endsWith(".json")).toSorted(), (name) =>
    fs.readFileString(path.join(directory, name)).pipe(Effect.flatMap(Schema.decodeEffect(Kept)), Effect.option)
  )
  return mails.flatMap((mail) => (Option.isSome(mail) ? [mail.value] : []))
})

/** Mailer that sends nothing and writes each mail to a file in the folder. */
export const layerMailFolder = (
  directory: string,
  announce: (mail: EmailMessage) => Effect.Effect<void> = () => Effect.void
): Layer.Layer<Mailer, never, FileSystem.FileSystem | Path.Path> =>
  Layer.effect(
    Mailer,
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      return Mailer.of({
        send: (mail) =>
          Effect.gen(function* () {
            const sentAt = yield* DateTime.now
            const { html, subject, text, to } = mail
            const content = yield* Effect.orDie(Schema.encodeEffect(Kept)({ sentAt, to, subject, text, html }))
            yield* fs.makeDirectory(directory, { recursive: true, mode: 0o700 })
            yield* fs.writeFileString(path.join(directory, nameOf(mail, sentAt)), `${content}\n`, { mode: 0o600 })
            yield* announce(mail)
          }).pipe(Effect.catchTag("PlatformError", () => Effect.fail(new MailerUnreachable({ code: null }))))
      })
    })
  )
