"""The pages of annotation: what people do, and how campaigns are run."""

from django.urls import path

from annotation.views import (
    campaigns,
    checks,
    guidelines,
    home,
    invitations,
    my_work,
    people,
    progress,
    reports,
    searching,
    trying_settings,
    waves,
    work,
)

app_name = "annotation"

working = [
    path("", home.home, name="home"),
    path("progress/", progress.my_progress, name="my-progress"),
    path("guidelines/", guidelines.guidelines, name="guidelines"),
    path("waves/<int:wave_id>/acknowledge/", guidelines.acknowledge, name="acknowledge"),
    path("join/<str:token>/", invitations.accept_invitation, name="accept-invitation"),
]

running = [
    path("campaigns/", campaigns.campaigns, name="campaigns"),
    path("campaigns/new/", campaigns.new_campaign, name="new-campaign"),
    path("campaigns/<slug:slug>/", campaigns.campaign, name="campaign"),
    path("campaigns/<slug:slug>/settings/", campaigns.campaign_settings, name="campaign-settings"),
    path(
        "campaigns/<slug:slug>/guidelines/",
        guidelines.campaign_guidelines,
        name="campaign-guidelines",
    ),
    path(
        "campaigns/<slug:slug>/guidelines/edit/", guidelines.edit_guidelines, name="edit-guidelines"
    ),
    path(
        "campaigns/<slug:slug>/guidelines/<int:number>/",
        guidelines.guideline_version,
        name="guideline-version",
    ),
    path("campaigns/<slug:slug>/progress/", progress.campaign_progress, name="campaign-progress"),
    path("campaigns/<slug:slug>/progress.csv", progress.progress_csv, name="progress-csv"),
]

waves_of_campaigns = [
    path("campaigns/<slug:slug>/waves/", waves.waves, name="waves"),
    path("campaigns/<slug:slug>/waves/new/", waves.new_wave, name="new-wave"),
    path("waves/<int:wave_id>/", waves.wave, name="wave"),
    path(
        "waves/save-settings/<slug:slug>/",
        trying_settings.save_settings,
        name="save-settings",
    ),
    path("waves/<int:wave_id>/edit/", waves.edit_wave, name="edit-wave"),
    path("waves/<int:wave_id>/open/", waves.open_wave, name="open-wave"),
    path("waves/<int:wave_id>/close/", waves.close_wave, name="close-wave"),
    path("waves/<int:wave_id>/clone/", waves.clone_wave, name="clone-wave"),
    path("waves/<int:wave_id>/people/", people.participants, name="participants"),
    path("waves/<int:wave_id>/people/add/", people.add_participants, name="add-participants"),
    path(
        "waves/<int:wave_id>/people/<int:user_id>/set/",
        people.set_participation,
        name="set-participation",
    ),
]

people_of_campaigns = [
    path("campaigns/<slug:slug>/people/", people.people, name="people"),
    path("campaigns/<slug:slug>/people/<int:user_id>/set-role/", people.set_role, name="set-role"),
    path(
        "campaigns/<slug:slug>/people/<int:user_id>/end/",
        people.end_membership,
        name="end-membership",
    ),
    path(
        "campaigns/<slug:slug>/people/<int:user_id>/restore/",
        people.restore_membership,
        name="restore-membership",
    ),
    path("campaigns/<slug:slug>/invitations/", invitations.invitations, name="invitations"),
    path("campaigns/<slug:slug>/invitations/invite/", invitations.invite, name="invite"),
    path(
        "campaigns/<slug:slug>/invitations/invite-class/",
        invitations.invite_class,
        name="invite-class",
    ),
    path(
        "invitations/<int:invitation_id>/revoke/",
        invitations.revoke_invitation,
        name="revoke-invitation",
    ),
]

curating = [
    path("campaigns/<slug:slug>/reports/", reports.reports, name="reports"),
    path("reports/<int:report_id>/decide/", reports.decide_report, name="decide-report"),
    path("sources/<int:preselection_id>/decide/", reports.decide_source, name="decide-source"),
]

doing = [
    path("waves/<int:wave_id>/ask/<str:task>/", work.ask, name="ask"),
    path("assignments/<int:assignment_id>/", work.work, name="work"),
    path("assignments/<int:assignment_id>/draft/", work.draft, name="draft"),
    path("assignments/<int:assignment_id>/beat/", work.beat, name="beat"),
    path("assignments/<int:assignment_id>/check/", checks.check_claims, name="check-claims"),
    path("assignments/<int:assignment_id>/search/", searching.search, name="search"),
    path("assignments/<int:assignment_id>/skip/", work.skip, name="skip"),
    path("assignments/<int:assignment_id>/report/", work.report, name="report"),
    path("my-work/", my_work.my_work, name="my-work"),
    path("claims/<int:claim_id>/edit/", my_work.edit_claim, name="edit-claim"),
]

urlpatterns = [*doing, *working, *running, *waves_of_campaigns, *people_of_campaigns, *curating]
