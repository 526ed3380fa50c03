import { Redacted } from "effect"
import { HttpServerResponse } from "effect/http"

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/gu, (character) => entities[character] ?? "")

/** Page with a one-time code to paste. It names the organization, because a shop owner must not forward the code of another person's journey. */
export const storeCodePage = (organization: string, code: Redacted.Redacted) =>
  HttpServerResponse.html(
    `<!doctype html><html lang="en"><meta charset="utf-8"><title>Connect a store</title><h1>Almost done</h1><p>The shop agreed. Enter this code where you started to connect it, within ten minutes. The store then belongs to <strong>${escaped(organization)}</strong>.</p><pre>${escaped(Redacted.value(code))}</pre><p>Did you not start this yourself? Then close this page and do not share the code. Without the code, Parley connects nothing.</p></html>`
  ).pipe(HttpServerResponse.setHeaders({ "cache-control": "no-store", "referrer-policy": "no-referrer" }))
