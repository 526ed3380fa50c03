/** A user's program with a client generated from the document: it uploads files, reads a file back and finds contacts. */
export const generatedSdkProgram = `
import { createClient } from "./generated/client/index.ts"
import {
  countContacts,
  createContact,
  downloadMedia,
  importContacts,
  listContacts,
  listEvents,
  login,
  uploadMedia
} from "./generated/index.ts"
import type { Contact, Media } from "./generated/index.ts"

const [baseUrl = "", email = "", password = ""] = process.argv.slice(2)
const anonymous = createClient({ baseUrl, throwOnError: true })

const { data: session } = await login({ client: anonymous, throwOnError: true, body: { email, password } })
const organization = session.organizations[0]
if (organization === undefined) throw new Error("a member of nothing")

const client = createClient({ baseUrl, auth: session.accessToken })
const headers = { "X-Organization-Id": organization.id }

const bytes = new TextEncoder().encode("%PDF-1.7 Rye bread: 4.20")
const uploaded = await uploadMedia({
  client,
  throwOnError: true,
  headers: { ...headers, "Content-Type": "application/pdf", "Idempotency-Key": crypto.randomUUID() },
  query: { filename: "prices.pdf" },
  body: new Blob([bytes], { type: "application/pdf" })
})
const file: Media = uploaded.data
const { data: downloaded } = await downloadMedia({ client, throwOnError: true, headers, path: { mediaId: file.id } })
const back: Blob = downloaded
const isSame = Buffer.from(await back.arrayBuffer()).equals(bytes)

const refused = await uploadMedia({
  client,
  headers: { ...headers, "Content-Type": "image/png" },
  body: new Blob([bytes])
})
const code = refused.error?.code

// @ts-expect-error A text is no file.
void (() => uploadMedia({ client, headers, body: "a text" }))

const imported = await importContacts({
  client,
  throwOnError: true,
  headers: { ...headers, "Content-Type": "text/csv" },
  body: "name,email\\nAda,ada@example.com\\n"
})

await createContact({
  client,
  throwOnError: true,
  headers: { ...headers, "Idempotency-Key": crypto.randomUUID() },
  body: { name: "Grace", phone: "+49 170 1234567" }
})
const { data: found } = await listContacts({
  client,
  throwOnError: true,
  headers,
  query: { phone: "0170 1234567", country: "DE" }
})
const names = found.data.map((contact: Contact) => contact.name)
const { data: counted } = await countContacts({ client, throwOnError: true, headers, query: { q: "grace" } })
const { data: events } = await listEvents({
  client,
  throwOnError: true,
  headers,
  query: { type: ["contact.created"] }
})

console.log(
  JSON.stringify({
    file: [file.kind, file.filename, file.size],
    isSame,
    code,
    format: imported.data.format,
    names,
    count: counted.count,
    events: events.data.map(({ event }) => event.type)
  })
)
`
