// What a repair bot asks of GitHub, asked with Octokit. Prints what it found as JSON; throws where Octokit does.
import { readFileSync } from "node:fs";
import { createAppAuth } from "@octokit/auth-app";
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { restEndpointMethods } from "@octokit/plugin-rest-endpoint-methods";
import { sign, verify } from "@octokit/webhooks-methods";

const { api: baseUrl, appId, key: privateKey, owner, repo, secret, deliveries } = JSON.parse(readFileSync(0, "utf8"));
const Client = Octokit.plugin(paginateRest, restEndpointMethods);
const asApp = new Client({ baseUrl, authStrategy: createAppAuth, auth: { appId, privateKey } });
const about = await asApp.rest.apps.getAuthenticated();
const { data: installation } = await asApp.rest.apps.getRepoInstallation({ owner, repo });

const client = new Client({
  baseUrl,
  authStrategy: createAppAuth,
  auth: { appId, privateKey, installationId: installation.id },
});
const here = { owner, repo };
const { data: about_repo } = await client.rest.repos.get(here);
const { data: head } = await client.rest.git.getRef({ ...here, ref: `heads/${about_repo.default_branch}` });
const { data: base } = await client.rest.git.getCommit({ ...here, commit_sha: head.object.sha });
const { data: blob } = await client.rest.git.createBlob({ ...here, content: "fixed\n", encoding: "utf-8" });
const { data: tree } = await client.rest.git.createTree({
  ...here,
  base_tree: base.tree.sha,
  tree: [{ path: "calc.py", mode: "100644", type: "blob", sha: blob.sha }],
});
const { data: commit } = await client.rest.git.createCommit({
  ...here, message: "Mend add", tree: tree.sha, parents: [head.object.sha],
});
await client.rest.git.createRef({ ...here, ref: "refs/heads/regreen/1", sha: commit.sha });

const { data: run } = await client.rest.checks.create({
  ...here, name: "regreen", head_sha: commit.sha, status: "in_progress", external_id: "job",
});
await client.rest.checks.update({
  ...here, check_run_id: run.id, conclusion: "success", output: { title: "Mended", summary: "All green." },
  actions: [{ label: "Retry", description: "Once more", identifier: "retry" }],
});
const runs = await client.paginate(client.rest.checks.listForRef, { ...here, ref: commit.sha, check_name: "regreen" });

const opening = { ...here, head: "regreen/1", base: about_repo.default_branch, title: "Mend add", body: "Because." };
const { data: pull } = await client.rest.pulls.create(opening);
const twice = await client.rest.pulls.create(opening).catch((error) => ({ status: error.status, text: error.message }));
for (const body of ["one", "two", "three"]) {
  await client.rest.issues.createComment({ ...here, issue_number: pull.number, body });
}
const comments = await client.paginate(client.rest.issues.listComments, {
  ...here, issue_number: pull.number, per_page: 1,
});
const eyes = { ...here, comment_id: comments[0].id, content: "eyes" };
const { data: reaction } = await client.rest.reactions.createForIssueComment(eyes);
const { data: level } = await client.rest.repos.getCollaboratorPermissionLevel({ ...here, username: owner });
await client.rest.pulls.update({ ...here, pull_number: pull.number, state: "closed" });
await client.rest.git.deleteRef({ ...here, ref: "heads/regreen/1" });
const lost = await client.rest.git.getRef({ ...here, ref: "heads/regreen/1" }).catch((error) => error.status);

const signed = await Promise.all(deliveries.map(({ body, signature }) => verify(secret, body, signature)));
const forged = await verify(secret, "{}", await sign("another secret", "{}"));
console.log(JSON.stringify({
  slug: about.data.slug, verified: commit.verification.verified,
  runs: runs.map((each) => [each.external_id, each.conclusion, each.app.slug]), twice,
  comments: comments.map((each) => each.body), reaction: reaction.content, level: level.permission, lost,
  user: pull.user.login, signed, forged,
}));
