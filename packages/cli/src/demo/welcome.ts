import { Redacted } from "effect"
import { card } from "../console/Table.ts"
import type { DemoFile } from "./demoFile.ts"

const indent = (text: string) => text.replace(/^/gm, "  ")

/** What a newcomer wants to know once the demo runs. */
export const welcome = (demo: DemoFile, file: string, docsLink: string) => {
  const [first] = demo.users
  const password = Redacted.value(demo.password)
  const body = JSON.stringify({ email: first?.email, password })
  return [
    "",
    `Parley is running at ${demo.address} (Ctrl-C stops it)`,
    "",
    "Read the documentation, signed in (the link works once, within 60 seconds; for a new one: npm run -s docs-link)",
    indent(docsLink),
    "",
    "Log in, and see who you are",
    indent(`TOKEN=$(curl -s ${demo.address}/api/v1/auth/login -H 'content-type: application/json' \\`),
    indent(`  -d '${body}' | sed 's/.*"accessToken":"\\([^"]*\\)".*/\\1/')`),
    indent(`curl -s ${demo.address}/api/v1/auth/me -H "authorization: Bearer $TOKEN"`),
    "",
    "A customer has just written to Acme: see it, answer, and watch what becomes of the answer",
    indent("npm run -s inbox"),
    "",
    `Who can log in, with the password ${password} (kept in ${file})`,
    indent(
      card(
        demo.users.map(
          ({ email, organization, plan, role = "member" }) =>
            [email, `${role} of ${organization}, on the plan ${plan}`] as const
        )
      )
    ),
    ""
  ].join("\n")
}
