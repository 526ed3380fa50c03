import { html } from "./html.ts"
import { brand, head, type Scripts, themeButton } from "./page.ts"

export const invitationScript = "invitation.js"

/** Page for the link of an invitation. */
export const invitationPage = (scripts: Scripts): string =>
  html`<!doctype html>
    <html lang="en">
      ${head("Accept your invitation · Parley", "Join an organization on Parley.", scripts)}
      <body data-page="sheet">
        <header class="top top-plain">
          ${brand}
          <div class="top-end">${themeButton}</div>
        </header>
        <main id="content" class="sheet">
          <h1>Accept your invitation</h1>
          <div data-invitation-form>
            <p>
              Somebody has invited you to their organization on Parley. If your address has an account here already,
              give its password; otherwise choose one. Where nobody has shown yet whose the account is, an invitation by
              mail shows that it is yours, and what you choose becomes its password.
            </p>
            <noscript
              ><p class="notice">
                This form needs JavaScript: the invitation is in the part of the link that a browser does not send.
              </p></noscript
            >
            <div class="notice notice-warning" role="alert" data-problem hidden></div>
            <p data-known hidden>
              Your address has an account here, with another password: one that you have forgotten, or that somebody
              else has set. <a href="/password/reset">Get a new password by mail</a>, then open the link of the
              invitation again.
            </p>
            <form class="form" novalidate data-form>
              <div class="field">
                <label for="name">Your name</label
                ><input
                  id="name"
                  name="name"
                  autocomplete="name"
                  maxlength="200"
                  required
                  aria-describedby="name-fault"
                />
                <p class="fault" id="name-fault" data-fault="name"></p>
              </div>
              <div class="field">
                <label for="password">Password</label
                ><input
                  id="password"
                  name="password"
                  type="password"
                  autocomplete="new-password"
                  minlength="8"
                  maxlength="256"
                  required
                  aria-describedby="password-hint password-fault"
                />
                <p class="hint" id="password-hint">
                  At least 8 characters; 15 or more are better. Common passwords are refused.
                </p>
                <p class="fault" id="password-fault" data-fault="password"></p>
              </div>
              <button class="button button-main" data-submit>Join</button>
            </form>
          </div>
          <div data-invitation-done hidden tabindex="-1">
            <p class="lead" data-welcome></p>
            <p>You can log in now with <strong data-email></strong> and your password.</p>
            <p><a class="button button-main" href="/docs/guides/quick-start">Read the quick start</a></p>
          </div>
          <div data-invitation-missing hidden>
            <p class="notice notice-warning">
              This address has no invitation in it. Open the link you were sent, the whole of it, or ask for a new
              invitation.
            </p>
          </div>
        </main>
      </body>
    </html> `.source

export const passwordScript = "password.js"

/** The page that the link to a new password opens. Without a link, it asks for one. */
export const passwordPage = (scripts: Scripts): string =>
  html`<!doctype html>
    <html lang="en">
      ${head("Your password · Parley", "Choose a new password for Parley.", scripts)}
      <body data-page="sheet">
        <header class="top top-plain">
          ${brand}
          <div class="top-end">${themeButton}</div>
        </header>
        <main id="content" class="sheet">
          <h1>Your password</h1>
          <noscript
            ><p class="notice">
              This form needs JavaScript: the secret is in the part of the link that a browser does not send.
            </p></noscript
          >
          <div class="notice notice-warning" role="alert" data-problem hidden></div>
          <div data-ask hidden>
            <p>Say which address you log in with. If it has an account, a link to a new password goes there.</p>
            <form class="form" novalidate data-ask-form>
              <div class="field">
                <label for="email">E-mail address</label
                ><input
                  id="email"
                  name="email"
                  type="email"
                  autocomplete="username"
                  maxlength="254"
                  required
                  aria-describedby="email-fault"
                />
                <p class="fault" id="email-fault" data-fault="email"></p>
              </div>
              <button class="button button-main" data-submit>Send me a link</button>
            </form>
          </div>
          <div data-asked hidden tabindex="-1">
            <p class="lead">If the address has an account, a mail is on its way.</p>
            <p>The link in it works once, for 60 minutes. Nothing there? Look among the spam, and check the address.</p>
            <p><a href="/password/reset">Ask for another link</a></p>
          </div>
          <div data-choose hidden>
            <p>Wherever you are logged in, you will have to log in again with it.</p>
            <form class="form" novalidate data-choose-form>
              <div class="field">
                <label for="password">New password</label
                ><input
                  id="password"
                  name="password"
                  type="password"
                  autocomplete="new-password"
                  minlength="8"
                  maxlength="256"
                  required
                  aria-describedby="password-hint password-fault"
                />
                <p class="hint" id="password-hint">
                  At least 8 characters; 15 or more are better. Common passwords are refused.
                </p>
                <p class="fault" id="password-fault" data-fault="password"></p>
              </div>
              <button class="button button-main" data-submit>Set the password</button>
            </form>
          </div>
          <div data-done hidden tabindex="-1">
            <p class="lead">You can log in with it now.</p>
            <p>Every session from before has ended.</p>
            <p><a class="button button-main" href="/docs">Read the documentation</a></p>
          </div>
        </main>
      </body>
    </html> `.source
