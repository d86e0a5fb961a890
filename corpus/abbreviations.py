"""Words before a full stop that does not end a sentence, by language.

ALWAYS: a name or a number follows. NUMBER: only where a number follows. OFTEN: the sentence goes
on unless the next word is one that commonly begins sentences.
"""


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ALWAYS = words(
    # English titles and connectives
    "mr mrs ms messrs dr drs prof rev hon fr st ste mt ft sen sens rep reps gov govs gen maj col"
    " lt capt cmdr adm sgt cpl pvt supt insp pres amb atty vs v cf viz al ca approx fig figs"
    " dept univ assn bros"
    # Czech titles, offices and connectives
    " ing mgr bc mudr judr phdr rndr paeddr mvdr thdr phmr dis doc csc drsc plk pplk mjr kpt npor"
    " por ppor rtm sv tzv např resp popř příp event mj tj tzn zn ul nám tř okr kupř t bl"
    # German, French, Spanish, Italian, Polish, Slovak
    " hr fr frl bzw z.b d.h u.a usw evtl ggf nr hl mme mlle sr sra srta d dña sig dott avv mec"
    " płk tzw np dr hab inż"
)
NUMBER = words(
    "no nos vol vols ch sec art arts par pp p pg fig eq č čl čís čj str odst písm roč sv tel r"
    " jan feb mar apr jun jul aug sep sept oct nov dec ca nr s abs"
)
OFTEN = words(
    "inc corp co cos ltd plc llc bhd pty jr sr etc esq ave blvd rd sq u.s u.k u.n u.s.a d.c a.m p.m"
    " jan feb mar apr jun jul aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun"
    " ala ariz ark calif colo conn del fla ga ill ind kan ky la md mass mich minn miss mo mont neb"
    " nev okla ore pa tenn tex va vt wash wis wyo ont que"
    " dlr dlrs mln bln pct min max est incl excl ed eds trans no nos"
    # Czech
    " tis mil mld hod min sek vteř kčs kč st stol atd atp apod aj ap zl hl angl něm lat pozn red"
    " odd odb str vyd roč"
)
ORDINAL_LANGUAGES = words("cs sk pl de at da nb nn no fi et lv lt hu sl hr sr bs tr is fo lb")
STARTERS = words(
    "the a an this that these those it its he she his her they their we our i you there here in on"
    " at by for from with without but and or so yet if when while after before since because"
    " although however meanwhile also as to some many most all no not one two last earlier analysts"
    " officials what who how why under both each another other then now among despite during"
    # Czech
    " na v ve z ze s se k ke o od do po pro při před za podle však ale a i tento tato toto ten ta"
    " to tyto jeho její jejich je byl byla bylo byli není když protože pokud poté potom nyní dnes"
    " včera už také která který jak kde proč celkem letos loni dále navíc zároveň"
)
# the few that also end the doubt after an acronym: "the U.S. In" and "the U.S. And" may go on
STARTERS_AFTER_ACRONYM = words("the a an it he she they we this these those but however although")
