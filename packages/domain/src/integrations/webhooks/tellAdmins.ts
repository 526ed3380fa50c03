import { DateTime, Duration, Effect } from "effect"
import { type Member, Members } from "../../platform/identity/index.ts"
import { CurrentOrganization } from "../../kernel/index.ts"
import { type Letter, MailSettings, queueMail } from "../../platform/mail/index.ts"

const pageSize = 100

/** A mail that could not be sent for so long tells nothing new. */
const mailLife = Duration.days(1)

const isAddressed = ({ role, status }: Member) => status === "active" && (role === "owner" || role === "admin")

/** Writes to all owners and admins, in the unit of work of what it tells about. A service that sends no mail tells nobody. */
export const tellAdmins = Effect.fnUntraced(function* (letterFrom: (publicUrl: string) => Letter) {
  const { publicUrl, sendsMail } = yield* MailSettings
  if (!sendsMail) return
  const members = yield* Members
  const { id: sentBy } = yield* CurrentOrganization
  const expiresAt = DateTime.addDuration(yield* DateTime.now, mailLife)
  let after: ReadonlyArray<string> | null = null
  for (;;) {
    const page: ReadonlyArray<Member> = yield* members.list({ limit: pageSize, after })
    for (const { email } of page.filter(isAddressed)) {
      yield* queueMail(email, letterFrom(publicUrl), { audience: "users", expiresAt, sentBy })
    }
    const last = page.at(-1)
    if (last === undefined || page.length < pageSize) return
    after = [last.id]
  }
})
