import type { Guide } from "./Guides.ts"
import { type Area, operationPath } from "./areas.ts"
import { html } from "./html.ts"
import type { Page } from "./page.ts"

const firstCall = `curl http://127.0.0.1:8787/api/v1/auth/me \\
  -H "Authorization: Bearer $TOKEN"`

const handOff = `curl -X POST http://127.0.0.1:8787/api/v1/docs/handoff \\
  -H "Authorization: Bearer $TOKEN" \\
  -H "X-Organization-Id: YOUR_ORGANIZATION_ID"`

const hero = html`<section class="hero">
  <div class="hero-words">
    <div data-when="public">
      <h1>Build with Parley</h1>
      <p class="lead">
        The multi-tenant administration API for customer messaging and commerce. Connect chat numbers, answer customers
        in one inbox, keep contacts and segments, and follow every change.
      </p>
    </div>
    <div data-when="signed-in">
      <h1 data-greeting>Welcome</h1>
      <p class="lead">
        You are signed in as <strong data-reader-name></strong> of <strong data-organization-name></strong>, on the plan
        <strong data-plan-name></strong>. Features outside your plan are marked.
      </p>
    </div>
    <p class="hero-actions">
      <a class="button button-main" href="/docs/guides/quick-start">Quick start</a
      ><a class="button" href="/docs/reference">API reference</a>
    </p>
  </div>
  <figure class="code">
    <figcaption>Get your identity</figcaption>
    <pre tabindex="0"><code class="language-bash">${firstCall}</code></pre>
  </figure>
</section>`

const plan = html`<section class="plan" data-when="signed-in" aria-labelledby="plan-title">
  <h2 id="plan-title">Your plan</h2>
  <div class="plan-parts">
    <div>
      <h3>Features</h3>
      <ul class="plan-features" data-plan-features></ul>
    </div>
    <div>
      <h3>Limits</h3>
      <ul class="plan-limits" data-plan-limits></ul>
    </div>
  </div>
</section>`

const signIn = html`<section class="sign-in-note" id="sign-in" data-when="public" aria-labelledby="sign-in-title">
  <div>
    <h2 id="sign-in-title">See these docs as your organization does</h2>
    <p>
      When you are signed in, examples contain the id of your organization, and features outside your plan are marked.
      Signing in is optional.
    </p>
    <ul>
      <li>
        Did you run <code>parley demo</code> or <code>npm start</code>? Open the docs link that it printed.
        <code>parley docs-link</code> or <code>npm run -s docs-link</code> creates a new one.
      </li>
      <li>
        Do you have a token? Request a link with it, and open the <code>url</code> of the answer. Each link works once,
        within 60 seconds.
      </li>
    </ul>
  </div>
  <figure class="code">
    <figcaption>Request a link</figcaption>
    <pre tabindex="0"><code class="language-bash">${handOff}</code></pre>
  </figure>
</section>`

const card = (guide: Guide) =>
  html`<li>
    <a class="card" href="${guide.path}"
      ><span class="card-title">${guide.title}</span><span class="card-text">${guide.leadText}</span></a
    >
  </li>`

const areaCard = ({ description, name, operations, path }: Area) =>
  html`<li class="card area-card" data-area-card="${name}">
    <h3><a href="${path}">${name}</a></h3>
    <p class="card-text">${description}</p>
    <details>
      <summary>
        ${operations.length} ${operations.length === 1 ? "operation" : "operations"}<span class="unseen">
          of ${name}</span
        >
      </summary>
      <ul class="area-operations">
        ${operations.map(
          ({ id, method, summary }) =>
            html`<li>
              <span class="method method-${method.toLowerCase()}">${method}</span
              ><a href="${operationPath(name, id)}" data-operation="${id}">${summary}</a>
            </li>`
        )}
      </ul>
    </details>
  </li>`

/** Cards of the areas, with the operations of each. */
export const areaCards = (areas: ReadonlyArray<Area>) =>
  html`<ul class="cards" data-areas>
    ${areas.map(areaCard)}
  </ul>`

/** First page of the site: audiences, first steps and contents. */
export const homePage = (guides: ReadonlyArray<Guide>, areas: ReadonlyArray<Area>): Page => ({
  kind: "home",
  path: "/docs",
  hasText: true,
  title: "Parley Docs",
  description: "Guides and API reference of Parley, the administration API for customer messaging and commerce.",
  main: html`${hero} ${plan} ${signIn}
    <section aria-labelledby="guides-title">
      <h2 id="guides-title">Guides</h2>
      <ul class="cards">
        ${guides.map(card)}
      </ul>
    </section>
    <section aria-labelledby="areas-title">
      <h2 id="areas-title">API reference</h2>
      <p class="areas-lead">
        ${areas.reduce((count, { operations }) => count + operations.length, 0)} operations in ${areas.length} areas.
        <a href="/docs/reference">You can try each on the page of its area</a>.
      </p>
      ${areaCards(areas)}
    </section>`
})
