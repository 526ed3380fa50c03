import { Effect } from "effect"
import { pass } from "../harness.ts"
import { fact, post } from "./grounds.ts"
import { fileData, parentId, type Scene } from "./scene.ts"

const { customer, phoneId } = fact

export const groups: Scene = (provider) =>
  Effect.gen(function* () {
    const groupId = provider.act({ act: "create_group", phoneId, subject: "New arrivals" }) ?? ""
    for (const member of [customer, "16505559999"])
      provider.act({ act: "join_group", phoneId, customer: member, groupId })
    provider.write(phoneId, customer, { type: "text", text: "Good morning, all" }, { groupId })
    const text = {
      messaging_product: "whatsapp",
      recipient_type: "group",
      to: groupId,
      type: "text",
      text: { body: "Hi" }
    }
    yield* post(provider, `/${phoneId}/messages`, text)
    yield* pass(provider, 1_000)
    provider.misbehave({ on: "messages", what: { kind: "fail_receipt", code: 131_049 } })
    yield* post(provider, `/${phoneId}/messages`, text)
    yield* pass(provider, 1_000)
    const parent = provider.act({ act: "create_group", phoneId, subject: "Parents" }) ?? ""
    provider.act({ act: "set_customer", customer: "16505558888", parentUserId: parentId })
    provider.act({ act: "join_group", phoneId, customer: "16505558888", groupId: parent })
    yield* post(provider, `/${phoneId}/messages`, { ...text, to: parent })
    yield* pass(provider, 1_000)
    const closed = provider.act({ act: "create_group", phoneId, subject: "Staff", isApprovalRequired: true }) ?? ""
    for (const act of ["join_group", "leave_group"] as const) {
      provider.act({ act, phoneId, customer, groupId: closed })
    }
    const event = (name: string, details?: Readonly<Record<string, unknown>>) =>
      provider.act({ act: "group_event", phoneId, groupId, event: name, ...(details === undefined ? {} : { details }) })
    const joining = { join_request_id: "jr_0001", wa_id: customer }
    event("group_join_request_created", joining)
    event("group_join_request_revoked", joining)
    event("group_suspend")
    event("group_suspend_cleared")
    yield* post(provider, `/${groupId}`, { subject: "Autumn arrivals" })
    const headers = { "content-type": "application/json" }
    const body = JSON.stringify({ messaging_product: "whatsapp", participants: [{ user: customer }] })
    const authorization = `Bearer ${fact.token}`
    yield* Effect.promise(() =>
      fetch(`${provider.url}/${groupId}/participants`, {
        method: "DELETE",
        body,
        headers: { ...headers, authorization }
      })
    )
    provider.act({ act: "delete_group", phoneId, groupId })
  })

const message = (id: string, more: object = {}) => ({
  from: customer,
  id,
  timestamp: "1739230970",
  type: "text",
  text: { body: "Thanks!" },
  ...more
})

export const coexistence: Scene = (provider) =>
  Effect.sync(() => {
    const { phone, ...contact } = { phone: customer, fullName: "Pablo Morales", firstName: "Pablo" }
    provider.act({ act: "sync_contacts", phoneId, contacts: [{ phone, ...contact }] })
    provider.act({ act: "sync_contacts", phoneId, contacts: [{ phone, action: "remove" }] })
    const chunk = { act: "history", phoneId, phase: 0, order: 1, progress: 55 } as const
    const placeholder = { ...message("wamid.3"), type: "media_placeholder" }
    const threads = [
      {
        phone: customer,
        messages: [
          message("wamid.1", { from: fact.displayPhone, to: customer }),
          message("wamid.2"),
          withoutText(placeholder)
        ]
      }
    ]
    provider.act({ ...chunk, threads })
    provider.act({
      ...chunk,
      phase: 2,
      threads: [{ phone: customer, messages: [message("wamid.4", { history_context: { status: "DELIVERED" } })] }]
    })
    const image = { mime_type: "image/jpeg", sha256: "J", id: "1003383421387400" }
    const media = { from: customer, to: fact.displayPhone, id: "wamid.3", timestamp: "1", type: "image", image }
    provider.act({ act: "history_media", phoneId, messages: [media] })
    provider.act({ act: "decline_history", phoneId })
    const id = provider.echo(phoneId, customer, { type: "text", text: "Here's the info you requested!" })
    provider.echo(phoneId, customer, { type: "image", data: fileData, mimeType: "image/jpeg", caption: "Our shop" })
    provider.echo(phoneId, customer, { type: "edit", of: id, text: "Here is the info" })
    provider.echo(phoneId, customer, { type: "revoke", of: id })
  })

const withoutText = ({ text: _text, ...rest }: ReturnType<typeof message>) => rest
