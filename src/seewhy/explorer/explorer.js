// Built from frontend/ by `npm run build`; edit there. Holds preact and htm (MIT and Apache-2.0).
var y,dt,Cn,B,Ie,ue,ut,le,ht,Oe,De,Sn,ne=Symbol.for("pv"),he={},me=[],An=/^m(i|n|o|s|text|space)$/,Re=Array.isArray,Ue=me.slice,G=Object.assign;function V(t){t&&t.parentNode&&t.remove()}function mt(t,e,n){var o,a,r,i={},s=arguments.length;for(r in e)r=="key"?o=e[r]:r=="ref"&&typeof t!="function"?a=e[r]:i[r]=e[r];return s>2&&(i.children=s>3?Ue.call(arguments,2):n),te(t,i,o,a,null)}function te(t,e,n,o,a){var r={type:t,props:e,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:ne,__v:a||++dt,__i:-1,__u:0};return!a&&y.vnode&&y.vnode(r),r}function fe(t){return t.children}function pe(t,e){this.props=t,this.context=e,this.__g=0}function L(t,e){if(e==null)return t.__&&L(t.__,t.__i+1);for(var n;e<t.__k.length;e++)if((n=t.__k[e])&&n.__e)return n.__e;return typeof t.type!="function"||t.props.__P?null:L(t)}function zn(t){var e,n=t.__v,o=n.__e,a=[],r=[],i=t.__P;i&&((e=G({constructor:ne},n)).__v=n.__v+1,y.vnode&&y.vnode(e),je(i,e,n,t.__n,i.namespaceURI,32&n.__u?[o]:null,a,o||L(n),32&n.__u,r),e.__v=n.__v,e.__.__k[e.__i]=e,bt(a,e,r),n.__=n.__e=null,e.__e!=o&&ft(e))}function ft(t){if((t=t.__)&&t.__c&&!t.props.__P)return t.__e=null,t.__k.some(function(e){return e&&(t.__e=e.__e)}),ft(t)}function lt(t){(8&t.__g||(t.__g|=8,B.push(t),ue++))&&Ie==y.debounceRendering||((Ie=y.debounceRendering)||queueMicrotask)(gt)}function gt(){try{for(var t,e=1;B.length;)B.length>e&&B.sort(ut),t=B.shift(),e=B.length,8&t.__g&&zn(t)}finally{(ue=B.length)&&(Ie||queueMicrotask)(gt)}}function _t(t,e,n,o,a,r,i,s,c,d,p){var m,g,l,h,f,_,b=o.__k||me,v=e.length;for(c=Tn(n,e,b,c,v),m=0;m<v;m++)(l=n.__k[m])!=null&&(g=~l.__i&&b[l.__i]||he,l.__i=m,_=je(t,l,g,a,r,i,s,c,d,p),h=l.__e,(g.ref!=l.ref||8&g.__u)&&(g.ref&&Be(g.ref,null,l,g),l.ref&&p.push(l.ref,l.__c||h,l)),f=f||h,4&l.__u?(c=$t(l,c,t,!g.__v),g.__e&&(g.__e=null)):typeof l.type=="function"&&_!==void 0?c=_:h&&(c=h.nextSibling),l.__u&=-21);return n.__e=f,c}function Tn(t,e,n,o,a){var r,i,s,c,d,p,m,g,l,h=n.length,f=h,_=0,b=0,v=t.__k=Array(a);for(r=0;r<a;r++)(i=e[r])!=null&&typeof i!="boolean"&&typeof i!="function"?(typeof i!="object"||i.constructor===String?i=v[r]=te(null,i):Re(i)?i=v[r]=te(fe,{children:i}):i.constructor===ne&&i.__b?i=v[r]=te(i.type,i.props,i.key,i.ref,i.__v):v[r]=i,c=r+_,i.__=t,i.__b=t.__b+1,s=null,~(d=i.__i=Pn(i,n,c,f))&&(f--,(s=n[d])&&(s.__u|=2)),s&&s.__v?(i.__u|=16,d==c-1?_--:d==c+1?_++:d!=c&&(d>c?_--:_++,b=1)):(~d||(a>h?_--:a<h&&_++),typeof i.type!="function"&&(i.__u|=4))):v[r]=null;if(b){for(p=[],m=[],r=0;r<a;r++)if((i=v[r])&&16&i.__u){for(_=0,g=p.length;_<g;)p[l=_+g>>1]<i.__i?_=l+1:g=l;p[_]=i.__i,m[r]=_+1}for(_=p.length;r--;)m[r]&&(m[r]==_?_--:v[r].__u|=4)}if(f)for(r=0;r<h;r++)!(s=n[r])||2&s.__u||(s.__e==o&&(o=L(s)),Le(s,s));return o}function $t(t,e,n,o){var a,r,i,s;if(typeof t.type=="function"){if(t.props.__P)return e;if(a=t.__k)for(r=0;r<a.length;r++)a[r]&&(a[r].__=t,e=$t(a[r],e,n,!1));return e}for(e&&!e.parentNode&&(e=L(t))&&!e.parentNode&&(e=null),i=t.__e,s=e;s&&s.nodeType==8;)s=s.nextSibling;for(i!=s&&(!o&&n.moveBefore&&i.parentNode?n.moveBefore(i,e):n.insertBefore(i,e||null)),e=i;(e=e&&e.nextSibling)&&e.nodeType==8&&!e.data.startsWith("$s"););return e}function Pn(t,e,n,o){var a,r=t.key,i=t.type,s=e[n],c=s&&!(2&s.__u);if(s===null&&r==null||c&&r==s.key&&i==s.type)return n;if(o>(c?1:0)){for(a=n-1;a>=0;a--)if((s=e[a])&&!(2&s.__u)&&r==s.key&&i==s.type)return a;for(a=n+1;a<e.length;a++)if((s=e[a])&&!(2&s.__u)&&r==s.key&&i==s.type)return a}return-1}function pt(t,e,n){n==null&&(n=""),e[0]=="-"?t.setProperty(e,n):t[e]=n}function ce(t,e,n,o,a){var r,i;if(e=="style")if(typeof n=="string")t.style.cssText=n;else{if(typeof o=="string"&&(t.style.cssText=o=""),o)for(e in o)n&&e in n||pt(t.style,e);if(n)for(e in n)o&&n[e]==o[e]||pt(t.style,e,n[e])}else if(e[0]=="o"&&e[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(t.__e||(t.__e={}))[e]=n,n&&o||(i=De[e]||(De[e]=Fn(e)),(t.__a||(t.__a={}))[e]=Oe,r=e!=(e=e.replace(ht,"$1")),(e=e.slice(2))[0]<"a"&&(e=e.toLowerCase()),n?t.addEventListener(e,i,r):t.removeEventListener(e,i,r));else{if(a=="http://www.w3.org/2000/svg")e=e.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(e!="width"&&e!="height"&&e!="href"&&e!="list"&&e!="form"&&e!="tabIndex"&&e!="download"&&e!="rowSpan"&&e!="colSpan"&&e!="role"&&e!="popover"&&e in t)try{return void(t[e]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&e[4]!="-"?t.removeAttribute(e):t.setAttribute(e,e=="popover"&&n==1?"":n)}}function Fn(t){return function(e){var n=this.__e;if(n){if(n=n[t],e[le]==null)e[le]=Oe++;else if(e[le]<this.__a[t])return;return n(y.event?y.event(e):e)}}}function je(t,e,n,o,a,r,i,s,c,d){var p,m,g,l,h,f,_,b,v,x,$,P,J,Z,D,ct,j,X,O=e.type;if(e.constructor!==ne)return null;128&n.__u&&(c=32&n.__u,p=n.__c.__z)&&(e.__u|=c,m=r=[],p.nodeType==8?s=de(p,r):r.push(p),s=r[0]||s),(p=y.__b)&&p(e);e:if(typeof O=="function"){g=i.length;try{if(b=e.props,v=(p=O.prototype)&&p.render,x=(p=O.contextType)&&o[p.__c],$=p?x?x.props.value:p.__:o,(l=n.__c)?(e.__c=l,2&l.__g&&(l.__g|=1)):(v?e.__c=l=new O(b,$):(e.__c=l=new pe(b,$),l.constructor=O,l.render=En),x&&x.sub(l),l.state||(l.state={}),l.__n=o,l.__g|=8,l.__h=[],l.__k=[]),v&&(l.__s||(l.__s=l.state),O.getDerivedStateFromProps&&(l.__s==l.state&&(l.__s=G({},l.__s)),G(l.__s,O.getDerivedStateFromProps(b,l.__s)))),h=l.props,f=l.state,l.__v=e,n.__c){if(b!==h&&v&&!O.getDerivedStateFromProps&&l.componentWillReceiveProps&&l.componentWillReceiveProps(b,$),e.__v==n.__v&&!(8&l.__g)||!(4&l.__g)&&l.shouldComponentUpdate&&l.shouldComponentUpdate(b,l.__s,$)===!1){e.__v!=n.__v&&(l.props=b,l.state=l.__s,l.__g&=-9),e.__e=n.__e,e.__k=n.__k,e.__k.some(function(F){F&&(F.__=e)}),me.push.apply(l.__h,l.__k),l.__k=[],l.__h.length&&i.push(l),s=L(n);break e}l.componentWillUpdate&&l.componentWillUpdate(b,l.__s,$),v&&l.componentDidUpdate&&l.__h.push(function(){l.componentDidUpdate(h,f,_)})}else v&&!O.getDerivedStateFromProps&&l.componentWillMount&&l.componentWillMount(),v&&l.componentDidMount&&l.__h.push(l.componentDidMount);l.context=$,l.props=b,l.__P=t,l.__g&=-5,P=y.__r,J=v?25:0;do l.__g&=-9,P&&P(e),p=l.render(l.props,l.state=l.__s,l.context);while(8&l.__g&&++J<25);v&&(me.push.apply(l.__h,l.__k),l.__k=[]),l.state=l.__s,l.getChildContext&&(o=G({},o,l.getChildContext())),v&&n.__c&&l.getSnapshotBeforeUpdate&&(_=l.getSnapshotBeforeUpdate(h,f)),Z=p&&p.type===fe&&p.key==null?p.props.children:p,b.__P&&(p=s,a=(t=b.__P).namespaceURI,c=r=null,n.props&&n.props.__P!=t&&(n.__k.some(function(F){F&&Le(F,F)}),n.__k=null),s=n.__k?L(n,0):null),s=_t(t,Re(Z)?Z:[Z],e,n,o,a,r,i,s,c,d),b.__P&&(e.__e=null,s=p),e.__u&=-161,m&&m.some(V),l.__h.length&&i.push(l),1&l.__g&&(l.__g&=-4)}catch(F){if(i.length=g,e.__v=null,c||r)if(F&&F.then){if(e.__u|=128|c,r){for(~(j=r.indexOf(s||void 0))||(j=r.length);(X=r[j-1])&&X.nodeType==8;)j--;for(;j<r.length;j++)if(X=r[j])if(r[j]=null,D){if(X==ct)break}else{if(X.nodeType!=8)break;X.data.startsWith("$s")&&(ct=de(D=X))}}if(!D){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;D=s}(p=de(D=e.__c.__z||(e.__c.__z=D)))?(e.__e=D,s=p):e.__e=s,s=s&&s.nextSibling}else r&&r.some(V);else e.__e=n.__e;e.__k||(e.__k=n.__k||[]),F&&F.then||xt(e),y.__e(F,e,n)}}else s=e.__e=Nn(n.__e,e,n,o,a,r,i,c,d,t);return(p=y.diffed)&&p(e),s}function de(t,e){if(t&&t.nodeType==8&&t.data.startsWith("$s"))for(var n=1;t=t.nextSibling;){if(t.nodeType==8){if(t.data.startsWith("$s"))n++;else if(t.data.startsWith("/$s")&&!--n)return t}e&&e.push(t)}}function xt(t){t&&(t.__c&&(t.__c.__g|=4),t.__k&&t.__k.some(xt))}function bt(t,e,n){for(var o=0;o<n.length;)Be(n[o++],n[o++],n[o++]);y.__c&&y.__c(e,t),t.some(function(a){try{t=a.__h,a.__h=[],t.some(function(r){r.call(a)})}catch(r){y.__e(r,a.__v)}})}function Nn(t,e,n,o,a,r,i,s,c,d){var p,m,g,l,h,f,_,b,v=n.props||he,x=e.props,$=e.type;if($=="svg"?a="http://www.w3.org/2000/svg":$=="math"?a="http://www.w3.org/1998/Math/MathML":a||(a="http://www.w3.org/1999/xhtml"),r){for(p=0;p<r.length;p++)if((h=r[p])&&($?h.localName==$:h.nodeType==3)){t=h,r[p]=null;break}}if(!t){if(b=d.ownerDocument||document,!$)return b.createTextNode(x);t=b.createElementNS(a,$,x.is?x:d),s&&(y.__m&&y.__m(e,r),s=!1),r=null}if($){if(d=$=="template"&&t.content||t,r=$=="textarea"&&x.defaultValue!=null?null:r&&Ue.call(d.childNodes),!s&&r)for(v={},p=0;p<t.attributes.length;p++)v[(h=t.attributes[p]).name]=h.value;for(p in v)h=v[p],p=="dangerouslySetInnerHTML"?g=h:p=="children"||p in x||p=="value"&&"defaultValue"in x||p=="checked"&&"defaultChecked"in x||ce(t,p,null,h,a);for(p in x)h=x[p],p=="children"?l=h:p=="dangerouslySetInnerHTML"?m=h:p=="value"?f=h:p=="checked"?_=h:s&&typeof h!="function"||v[p]===h||ce(t,p,h,v[p],a);m?(s||g&&(m.__html==g.__html||m.__html==t.innerHTML)||(t.innerHTML=m.__html),e.__k=[]):(g&&(t.textContent=""),($=="foreignObject"||a=="http://www.w3.org/1998/Math/MathML"&&An.test($))&&(a="http://www.w3.org/1999/xhtml"),_t(d,Re(l)?l:[l],e,n,o,a,r,i,r?r[0]:n.__k&&L(n,0),s,c),r&&r.some(V)),s&&$!="textarea"||(p="value",$=="progress"&&f==null?t.removeAttribute(p):f==null||f===t[p]&&($!="progress"||f)||ce(t,p,f,v[p],a),p="checked",_!=null&&_!=t[p]&&ce(t,p,_,v[p],a))}else v===x||s&&t.data==x||(t.data=x);return t}function Be(t,e,n,o){try{typeof t=="function"?e?e.__x=t(e)||1:o&&(o=o.__c||o.__e)&&(e=o.__x)&&(o.__x=null,typeof e=="function"?e():t(null)):t.current=e}catch(a){y.__e(a,n)}}function Le(t,e,n){var o,a,r,i;if(y.unmount&&y.unmount(t),!(o=t.ref)||o.current&&o.current!=t.__e||Be(o,null,e,t),o=t.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(s){y.__e(s,e)}o.__P=o.__n=null}if(o=t.__k)for(i=0;i<o.length;i++)o[i]&&Le(o[i],e,typeof t.type!="function"||n&&!t.props.__P);!n&&(o=t.__c)&&(o=o.__z)&&(a=de(o,r=[]))&&(o==t.__e&&r.some(V),V(a),V(o)),n||V(t.__e),t.__e=t.__c=t.__=null}function En(t,e,n){return this.constructor(t,n)}function vt(t,e){var n,o,a,r;y.__&&y.__(t,e),e.nodeType==9&&(e=e.documentElement),o=(n=t&&32&t.__u)?null:e.__k,e.__k=te(fe,{children:[t]}),a=[],r=[],je(e,e.__k,o||he,he,e.namespaceURI,o?null:e.firstChild?Ue.call(e.childNodes):null,a,o?o.__e:e.firstChild,n,r),bt(a,e.__k,r),e.__k.props.children=null}y={__e:function(t,e,n,o){for(var a,r,i;e=e.__;)if((a=e.__c)&&!(1&a.__g)){a.__g|=4;try{if((i=(r=a.constructor)&&r.getDerivedStateFromError)&&a.setState(r.getDerivedStateFromError(t)),a.componentDidCatch&&(a.componentDidCatch(t,o||{}),i=1),i&&8&a.__g)return void(a.__g|=2)}catch(s){t=s}}throw ue=0,t}},dt=0,Cn=function(t){return t!=null&&t.constructor===ne},pe.prototype.setState=function(t,e){var n=this.__s;n&&n!=this.state||(n=this.__s=G({},this.state)),typeof t=="function"&&(t=t(G({},n),this.props)),t&&(G(n,t),this.__v&&(e&&this.__k.push(e),lt(this)))},pe.prototype.forceUpdate=function(t){this.__v&&(this.__g|=4,t&&this.__h.push(t),lt(this))},pe.prototype.render=fe,B=[],ue=0,ut=function(t,e){return t.__v.__b-e.__v.__b},le=Symbol(),ht=/(PointerCapture)$|Capture$/i,Oe=0,De={},Sn=0;var Q,M,He,yt,We=Object.is,ge=0,Pt=[],qe=[],k=y,wt=k.__b,kt=k.__r,Mt=k.diffed,Ct=k.__c,St=k.unmount,At=k.__;function _e(t,e){k.__h&&k.__h(M,t,ge||e),ge=0;var n=M.__H||(M.__H={__:[],__h:[]});return t>=n.__.length&&n.__.push({}),n.__[t]}function H(t){return ge=1,In(Ft,t)}function In(t,e,n){var o=_e(Q++,2);if(o.t=t,!o.__c&&(o.__=[n?n(e):Ft(void 0,e),function(r){var i=(o.__N||o.__)[0],s=o.t(i,r);We(i,s)||(o.__N=[s,o.__[1]],o.__c.setState({}))}],o.__c=M,!M.__f)){M.__f=!0;var a=M.shouldComponentUpdate;M.shouldComponentUpdate=function(r,i,s){var c=this.__H;if(!c)return!0;var d=!1,p=this.props!=r;if(c.__.some(function(g){g.__N&&(d=!0,We(g.__[0],g.__N[0])||(p=!0))}),a){var m=a.call(this,r,i,s);return d?m||p:m}return!d||p}}return o.__}function $e(t,e){var n=_e(Q++,3);!k.__s&&Ve(n.__H,e)&&(n.__P=!0,n.__=t,n.u=e,M.__H.__h.push(n))}function xe(t,e){var n=_e(Q++,4);!k.__s&&Ve(n.__H,e)&&(n.__P=!1,n.__=t,n.u=e,M.__h.push(n))}function R(t){return ge=5,w(function(){return{current:t}},[])}function w(t,e){var n=_e(Q++,7);return Ve(n.__H,e)&&(n.__=t(),n.__H=e),n.__}function Dn(){var t;do{for(;t=qe.shift();)try{oe(t)}catch(n){k.__e(n,{__:(t=t.__P)&&t.__v})}for(;t=Pt.shift();){var e=t.__H;if(t.__P&&e)try{e.__h.some(oe),e.__h.some(Xe),e.__h=[]}catch(n){e.__h=[],k.__e(n,t.__v)}}}while(qe.length)}k.__b=function(t){M=null,wt&&wt(t)},k.__=function(t,e){t&&e.__k&&e.__k.__m&&(t.__m=e.__k.__m),At&&At(t,e)},k.__r=function(t){kt&&kt(t),Q=0;var e=(M=t.__c).__H;e&&(He==M?M.__h=[]:(e.__h.some(oe),e.__h.some(Xe),Q=0),e.__h=[],e.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),He=M},k.diffed=function(t){Mt&&Mt(t);var e=t.__c;e&&e.__H&&(e.__H.__h.length&&Tt(Pt.push(e)),e.__H.__.some(function(n){n.u&&(n.__H=n.u)})),He=M=null},k.__c=function(t,e){e.some(function(n){try{n.__h.some(oe),n.__h=n.__h.filter(function(o){return!o.__||Xe(o)})}catch(o){n.__h=[function(){throw o}]}}),Ct&&Ct(t,e)},k.unmount=function(t){St&&St(t);var e,n,o=t.__c;o&&o.__H&&(o.__H.__.some(function(a){try{if(a.__P&&a.__c){if(n===void 0){for(n=t.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}a.__P=n,Tt(qe.push(a))}else oe(a)}catch(r){e=r}}),o.__H=void 0,e&&k.__e(e,o.__v))};var zt=typeof requestAnimationFrame=="function";function On(t){var e,n=function(){clearTimeout(o),zt&&cancelAnimationFrame(e),setTimeout(t)},o=setTimeout(n,35);zt&&(e=requestAnimationFrame(n))}function Tt(t){t!=1&&yt==k.requestAnimationFrame||((yt=k.requestAnimationFrame)||On)(Dn)}function oe(t){var e=M,n=t.__c;typeof n=="function"&&(t.__c=void 0,n()),M=e}function Xe(t){var e=M;t.__c=t.__(),M=e}function Ve(t,e){return!t||t.length!=e.length||e.some(function(n,o){return!We(n,t[o])})}function Ft(t,e){return typeof e=="function"?e(t):e}var Et=function(t,e,n,o){var a;e[0]=0;for(var r=1;r<e.length;r++){var i=e[r++],s=e[r]?(e[0]|=i?1:2,n[e[r++]]):e[++r];i===3?o[0]=s:i===4?o[1]=Object.assign(o[1]||{},s):i===5?(o[1]=o[1]||{})[e[++r]]=s:i===6?o[1][e[++r]]+=s+"":i?(a=t.apply(s,Et(t,s,n,["",null])),o.push(a),s[0]?e[0]|=2:(e[r-2]=0,e[r]=a)):o.push(s)}return o},Nt=new Map;function It(t){var e=Nt.get(this);return e||(e=new Map,Nt.set(this,e)),(e=Et(this,e.get(t)||(e.set(t,e=(function(n){for(var o,a,r=1,i="",s="",c=[0],d=function(g){r===1&&(g||(i=i.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?c.push(0,g,i):r===3&&(g||i)?(c.push(3,g,i),r=2):r===2&&i==="..."&&g?c.push(4,g,0):r===2&&i&&!g?c.push(5,0,!0,i):r>=5&&((i||!g&&r===5)&&(c.push(r,0,i,a),r=6),g&&(c.push(r,g,0,a),r=6)),i=""},p=0;p<n.length;p++){p&&(r===1&&d(),d(p));for(var m=0;m<n[p].length;m++)o=n[p][m],r===1?o==="<"?(d(),c=[c],r=3):i+=o:r===4?i==="--"&&o===">"?(r=1,i=""):i=o+i[0]:s?o===s?s="":i+=o:o==='"'||o==="'"?s=o:o===">"?(d(),r=1):r&&(o==="="?(r=5,a=i,i=""):o==="/"&&(r<5||n[p][m+1]===">")?(d(),r===3&&(c=c[0]),r=c,(c=c[0]).push(2,0,r),r=0):o===" "||o==="	"||o===`
`||o==="\r"?(d(),r=2):i+=o),r===3&&i==="!--"&&(r=4,c=c[0])}return d(),c})(t)),e),arguments,[])).length>1?e:e[0]}var u=It.bind(mt);function T({width:t,height:e,draw:n,deps:o,label:a,name:r,opacity:i}){let s=R(null),c=R(null);return xe(()=>{let p=s.current.getContext("2d",{willReadFrequently:!0});(c.current?.width!==t||c.current.height!==e)&&(c.current=new ImageData(t,e)),n(new Uint32Array(c.current.data.buffer)),p.putImageData(c.current,0,0)},[t,e,...o]),u`<canvas
    ref=${s}
    width=${t}
    height=${e}
    data-name=${r}
    style=${{opacity:i}}
    ...${a?{role:"img","aria-label":a}:{"aria-hidden":!0}}
  />`}function z({title:t,note:e,width:n,height:o,view:a,onView:r,children:i,action:s}){let{zoom:c,x:d,y:p}=a,m=Rn(a,r);return u`<figure class="panel">
    <figcaption>
      <span class="title">${t}</span>${e!==void 0&&u`<span class="note">${e}</span>`}${s}
    </figcaption>
    <div
      class=${`frame ${c>1?"zoomed":""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{aspectRatio:`${n} / ${o}`}}
      ...${m}
    >
      <div
        class=${`layers ${c>2?"sharp":""}`}
        style=${{transform:`translate(${100*d}%, ${100*p}%) scale(${c})`}}
      >
        ${i}
      </div>
    </div>
  </figure>`}function W(t,e,n=.5,o=.5){let a=Math.min(16,Math.max(1,e)),r=a/t.zoom;return Ge({zoom:a,x:n-(n-t.x)*r,y:o-(o-t.y)*r})}function Ge({zoom:t,x:e,y:n}){let o=a=>Number(Math.min(0,Math.max(1-t,a)).toFixed(4))||0;return{zoom:Number(t.toFixed(3)),x:o(e),y:o(n)}}function Rn(t,e){let n=R(new Map),o=R(t);o.current=t;let a=r=>{let i=r.currentTarget.getBoundingClientRect();return{x:(r.clientX-i.left)/i.width,y:(r.clientY-i.top)/i.height}};return{onPointerDown(r){n.current.set(r.pointerId,a(r)),o.current.zoom>1&&r.currentTarget.setPointerCapture(r.pointerId)},onPointerMove(r){let i=n.current.get(r.pointerId);if(!i)return;let s=a(r),c=[...n.current].find(([d])=>d!==r.pointerId)?.[1];if(n.current.set(r.pointerId,s),c){let d=m=>Math.hypot(m.x-c.x,m.y-c.y)||.001,p={x:(s.x+c.x)/2,y:(s.y+c.y)/2};e(W(o.current,o.current.zoom*d(s)/d(i),p.x,p.y))}else o.current.zoom>1&&e(Ge({zoom:o.current.zoom,x:o.current.x+s.x-i.x,y:o.current.y+s.y-i.y}))},onPointerUp:r=>n.current.delete(r.pointerId),onPointerCancel:r=>n.current.delete(r.pointerId),onDblClick(r){let{x:i,y:s}=a(r);e(o.current.zoom>1?{zoom:1,x:0,y:0}:W(o.current,3,i,s))},onWheel(r){if(!r.ctrlKey&&!r.metaKey)return;r.preventDefault();let{x:i,y:s}=a(r);e(W(o.current,o.current.zoom*Math.exp(-r.deltaY/200),i,s))},onKeyDown(r){let{zoom:i,x:s,y:c}=o.current,d={ArrowLeft:[.1,0],ArrowRight:[-.1,0],ArrowUp:[0,.1],ArrowDown:[0,-.1]}[r.key];if(r.key==="+"||r.key==="=")e(W(o.current,i*1.5));else if(r.key==="-")e(W(o.current,i/1.5));else if(r.key==="0")e({zoom:1,x:0,y:0});else if(d&&i>1)e(Ge({zoom:i,x:s+d[0],y:c+d[1]}));else return;r.preventDefault()}}}var Un=new Intl.NumberFormat("en-US"),re=t=>Un.format(t),S=(t,e=0)=>`${(100*t).toFixed(e)} %`,C=t=>S(t,t>.0995&&t<.995?0:1),be=t=>({ins_del:"insertion − deletion"})[t]??t.replaceAll("_"," ");function E({label:t,value:e,options:n,onChange:o}){return u`<div class="field">
    <span class="label">${t}</span>
    <div class="segmented" role="group" aria-label=${t}>
      ${n.map(([a,r])=>u`<button type="button" key=${a} aria-pressed=${a===e} onClick=${()=>o(a)}>
            ${r}
          </button>`)}
    </div>
  </div>`}function U({label:t,value:e,min:n,max:o,step:a,text:r,name:i,onInput:s,ends:c}){let d=`${100*(e-n)/(o-n||1)}%`;return u`<label class="field slider">
    <span class="label">${t} <output>${r}</output></span>
    <input
      type="range"
      data-name=${i}
      min=${n}
      max=${o}
      step=${a}
      value=${e}
      aria-valuetext=${r}
      style=${{"--filled":d}}
      onInput=${p=>s(Number(p.currentTarget.value))}
    />
    ${c&&u`<span class="ends"><span>${c[0]}</span><span>${c[1]}</span></span>`}
  </label>`}function ve({label:t,checked:e,onChange:n}){return u`<label class="check">
    <input
      type="checkbox"
      checked=${e}
      onChange=${o=>n(o.currentTarget.checked)}
    />
    ${t}
  </label>`}function ye({label:t,value:e,options:n,onChange:o}){return u`<label class="field">
    <span class="label">${t}</span>
    <select value=${e} onChange=${a=>o(Number(a.currentTarget.value))}>
      ${n.map(([a,r])=>u`<option key=${a} value=${a} selected=${a===e}>${r}</option>`)}
    </select>
  </label>`}function Ke({text:t,label:e}){let[n,o]=H(!1);return u`<button type="button" class="button" onClick=${async()=>{await jn(t)&&(o(!0),setTimeout(()=>o(!1),1500))}} aria-live="polite">
    ${n?"Copied":e}
  </button>`}async function jn(t){try{return await navigator.clipboard.writeText(t),!0}catch{let e=Object.assign(document.createElement("textarea"),{value:t});document.body.append(e),e.select();let n=document.execCommand("copy");return e.remove(),n}}var Bn=[228,60,42],Ln=[44,112,200],we=[[228,116,0],[0,114,178]],Hn=[17,140,90],Wn=[.05,.15,.3],Dt=Xn();function K(t){let e=Float64Array.from(t,r=>Number.isFinite(r)?r:0),n=e.slice().sort(),[o,a]=[Ye(n,1-.995),Ye(n,.995)];return o<0&&-o>.05*Math.max(a,0)?e.map(r=>ke(r/Math.max(a,-o),-1,1)):(a<=o&&([o,a]=[n[0],n[n.length-1]]),e.map(r=>a>o?ke((r-o)/(a-o),0,1):0))}function q(t,e,n){for(let o=0;o<t.length;o++){let a=Math.abs(e[o]);t[o]=Dt[Math.round(255*a)]&16777215|Math.round(255*n*a**.9)<<24}}function Ot(t,e,n){for(let o=0;o<t.length;o++)t[o]=ae(e[o]>0?Bn:Ln,n*Math.abs(e[o])**.6)}function Rt(t,e,n,o){t.fill(0),Wn.forEach((a,r)=>{let i=a*t.length,s=Dt[[255,200,140][r]];for(let c=0;c<t.length;c++)e[c]<i&&qn(e,c,n,i)&&(t[c]=s&16777215|Math.round(255*Math.min(1,o+.15))<<24)})}function qn(t,e,n,o){let a=e%n;return a>0&&t[e-1]>=o||a<n-1&&t[e+1]>=o||e>=n&&t[e-n]>=o||e+n<t.length&&t[e+n]>=o}function Ut(t,e,n,o){let a=Me(e);for(let r=0;r<t.length;r++){let i=e.reduce((c,d,p)=>d[r]>e[c][r]?p:c,0),s=Math.min(1,e[i][r]/a)**.75;t[r]=ae(we[i%we.length],i<n.length?o*n[i]*s:0)}}function jt(t,e,n,o=-1){let a=o<0?Hn:we[o%we.length];for(let r=0;r<t.length;r++)t[r]=ae(a,.9*ke(e[r]/n,0,1)**.75)}function Me(t){let e=t[0].map((n,o)=>Math.max(...t.map(a=>a[o]))).sort();return Ye(e,.995)||e[e.length-1]||1}function Bt(t,e,n=.3){for(let o=0;o<t.length;o++){let a=e[o],r=[a&255,a>>8&255,a>>16&255],i=(r[0]+r[1]+r[2])/3;t[o]=ae(r.map(s=>.9*(i+n*(s-i))),1)}}function Ye(t,e){let n=e*(t.length-1),o=Math.floor(n),a=Math.min(o+1,t.length-1);return t[o]+(n-o)*(t[a]-t[o])}function ke(t,e,n){return Math.min(n,Math.max(e,t))}function ae([t,e,n],o){return(Math.round(255*o)<<24|Math.round(n)<<16|Math.round(e)<<8|Math.round(t))>>>0}function Xn(){let t=[[.0002189403691192265,.001651004631001012,-.01948089843709184],[.1065134194856116,.5639564367884091,3.932712388889277],[11.60249308247187,-3.972853965665698,-15.9423941062914],[-41.70399613139459,17.43639888205313,44.35414519872813],[77.162935699427,-33.40235894210092,-81.80730925738993],[-71.31942824499214,32.62606426397723,73.20951985803202],[25.13112622477341,-12.24266895238567,-23.07032500287172]];return Uint32Array.from({length:256},(e,n)=>{let o=a=>t.reduceRight((r,i)=>r*(n/255)+i[a],0);return ae([0,1,2].map(a=>ke(255*o(a),0,255)),1)})}function Lt(t,e,n,o,a,r){let[i,s]=r==="deletion"?[n,e]:[e,n];for(let c=0;c<t.length;c++)t[c]=o[c]<a?i[c]:s[c]}function Vn(t){let e=new Uint32Array(t.keys()).sort((o,a)=>t[a]-t[o]||o-a),n=new Uint32Array(t.length);return e.forEach((o,a)=>n[o]=a),n}function Ht(t,e){let n=Vn(t),o=e instanceof Int16Array?new Uint16Array(t.length):new Uint32Array(t.length);for(let a=0;a<t.length;a++)o[a]=n[a]+e[a];return o}function Ce({counts:t,probabilities:e},n){let o=e.length/t.length,a=Math.max(0,t.findIndex(m=>m>=n)),r=n>t[t.length-1],i=r?t.length-1:a,s=t[i]===n,c=s||r||i===0?i:i-1,d=c===i?0:(n-t[c])/(t[i]-t[c]);return{values:Array.from({length:o},(m,g)=>{let[l,h]=[e[c*o+g],e[i*o+g]];return l+d*(h-l)}),measured:s,left:c,right:i}}function Wt({counts:t,top1:e},n,o){let a=e.findIndex(r=>r===n==(o==="insertion"));return a<0?null:t[a]}function qt(t,e,n){let o=t.reduce((a,r)=>Math.abs(r-e)<Math.abs(a-e)?r:a);return Math.abs(o-e)<=n?o:e}function Xt(t){let e=t[0].length,n=new Float64Array(e);for(let o=0;o<e;o++){let a=0,r=0;for(let i of t){let s=i[o]/e;a+=s,r+=s*s}n[o]=Math.sqrt(Math.max(0,r/t.length-(a/t.length)**2))}return n}function ie(t,e,n,o,a){let[r,i]=[Vt(e,o),Vt(n,a)],s=new Float64Array(o*a);for(let c=0,d=0;c<o;c++){let{low:p,high:m,share:g}=r[c];for(let l=0;l<a;l++,d++){let{low:h,high:f,share:_}=i[l],b=(1-_)*t[p*n+h]+_*t[p*n+f],v=(1-_)*t[m*n+h]+_*t[m*n+f];s[d]=(1-g)*b+g*v}}return s}function Vt(t,e){return Array.from({length:e},(n,o)=>{let a=Math.max(0,(o+.5)*t/e-.5),r=Math.min(Math.floor(a),t-1);return{low:r,high:Math.min(r+1,t-1),share:t===e?0:a-r}})}var Gt=new WeakMap;function Je(t,e,n){let o=Gt.get(t)??new Map;return Gt.set(t,o),o.has(e)||o.set(e,n()),o.get(e)}function se(t,e){let{height:n,width:o}=t.bundle;return Je(t,`map ${e}`,()=>ie(t.map(e),t.rows,t.cols,n,o))}function Kt(t,e){return Je(t,`strength ${e}`,()=>K(se(t,e)))}function Yt(t,e,n){let{height:o,width:a}=t.bundle;return Je(t,`step ${e} ${n}`,()=>{let[,,r,i]=t.tensor("extras.steps").shape,s=t.ofClass("extras.steps",e);return K(ie(s.subarray(n*r*i,(n+1)*r*i),r,i,o,a))})}function Se({entry:t,target:e,reference:n,direction:o,count:a,label:r,name:i="perturbed"}){let{bundle:s}=t,c=s.references[n].image(o,e);return u`<${T}
    name=${i}
    width=${s.width}
    height=${s.height}
    label=${r}
    draw=${d=>Lt(d,s.image,c,t.ranks(e),a,o)}
    deps=${[t,e,n,o,a]}
  />`}function Ae({entry:t,target:e,view:n,opacity:o,label:a}){let{width:r,height:i}=t.bundle;return u`<${T}
    name="map"
    width=${r}
    height=${i}
    draw=${c=>{n==="off"?c.fill(0):n==="contour"?Rt(c,t.ranks(e),r,o):(n==="signed"?Ot:q)(c,Kt(t,e),o)}}
    deps=${[t,e,n,o]}
    label=${a}
  />`}function N({bundle:t,color:e}){return u`<${T}
    width=${t.width}
    height=${t.height}
    deps=${[t,e]}
    draw=${n=>Bt(n,t.image,e)}
  />`}function Jt({view:t}){return t==="signed"?u`<span class="key"><i class="ramp signed"></i>against to for</span>`:t==="contour"?u`<span class="key">top 5, 15, 30 %</span>`:t==="off"?u`<span class="key">map hidden</span>`:u`<span class="key"><i class="ramp"></i>low to high</span>`}var A={left:44,right:22,top:22,bottom:34};function ee(t){let{series:e,position:n,max:o,height:a=200,label:r,axis:i,marker:s,range:c=[0,1],onScrub:d,ticks:p}=t,{formatX:m=$=>S($/o),formatY:g=$=>S($)}=t,l=R(null),h=Kn(l),f=$=>A.left+(h-A.left-A.right)*$/(o||1),_=$=>a-A.bottom-(a-A.top-A.bottom)*($-c[0])/(c[1]-c[0]||1),b=w(()=>u`<g>
        ${[0,.25,.5,.75,1].map($=>c[0]+$*(c[1]-c[0])).map($=>u`<line class="grid" x1=${f(0)} x2=${f(o)} y1=${_($)} y2=${_($)} />
                <text class="tick" x=${A.left-8} y=${_($)+4} text-anchor="end">${g($)}</text>`)}
        ${(p??[0,.25,.5,.75,1].map($=>$*o)).map($=>u`<text class="tick" x=${f($)} y=${a-A.bottom+16} text-anchor="middle"
              >${m($)}</text
            >`)}
        <text class="tick" x=${(f(0)+f(o))/2} y=${a-3} text-anchor="middle">${i}</text>
        ${s&&u`<line class=${`marker ${s.good?"good":""}`} x1=${f(s.at)} x2=${f(s.at)} y1=${A.top} y2=${a-A.bottom} />`}
        ${e.map($=>u`<${Gn} key=${$.name} series=${$} toX=${f} toY=${_} />`)}
        ${s&&u`<text
            class=${`marker-text ${s.good?"good":""}`}
            text-anchor=${s.at>.6*o?"end":"start"}
            x=${f(s.at)+(s.at>.6*o?-6:6)}
            y=${A.top-8}
            >${s.text}</text
          >`}
      </g>`,[e,h,a,o,s?.at,s?.text]),v=$=>{let P=$.currentTarget.getBoundingClientRect(),J=($.clientX-P.left-A.left)/(h-A.left-A.right);d?.(Math.min(1,Math.max(0,J))*o)};return u`<div class="chart" ref=${l}>
    <svg width=${h} height=${a} role="img" aria-label=${r} class=${d?"scrubbable":""} ...${d&&{onPointerDown($){$.currentTarget.setPointerCapture($.pointerId),v($)},onPointerMove:$=>$.buttons&&v($)}}>
      ${b}
    </svg>
    ${n!==void 0&&u`<div
        class="cursor"
        style=${{transform:`translateX(${f(n)}px)`,top:`${A.top-4}px`,height:`${a-A.top-A.bottom+4}px`}}
      ></div>`}
  </div>`}function Gn({series:t,toX:e,toY:n}){let o=t.x.map((r,i)=>[e(r),n(t.y[i])]).filter(([,r])=>Number.isFinite(r)),a=o.map(([r,i])=>`${r.toFixed(1)},${i.toFixed(1)}`).join(" ");return u`<g
    class=${["series",t.strong&&"strong",t.dashed&&"dashed",t.plain&&"plain"].filter(Boolean).join(" ")}
    style=${{color:t.color}}
  >
    <polyline points=${a} />
    ${!t.plain&&o.map(([r,i])=>u`<circle cx=${r.toFixed(1)} cy=${i.toFixed(1)} r=${t.strong?3.2:1.8} />`)}
  </g>`}function Kn(t){let[e,n]=H(480);return xe(()=>{let o=t.current,a=()=>n(Math.max(200,Math.round(o.clientWidth))),r=new ResizeObserver(a);return r.observe(o),a(),()=>r.disconnect()},[]),e}var Ze={deletion:"removed",insertion:"shown"};function ze({chosen:t,set:e,series:n,flip:o,valueText:a}){let{bundle:r,direction:i,count:s,reference:c}=t,d=Ze[i],p=w(()=>o==null?null:{at:o,...i==="deletion"?{text:"decision flips"}:{text:"recognized",good:!0}},[o,i]);return u`<div class="scrubber">
    <div class="row">
      <${E}
        label="Test by"
        value=${i}
        onChange=${m=>e({direction:m,count:0})}
        options=${[["deletion","removing pixels"],["insertion","adding pixels"]]}
      />
      ${r.references.length>1&&u`<${E}
          label=${i==="deletion"?"Replace by":"Start from"}
          value=${r.references[c].name}
          onChange=${m=>e({reference:m})}
          options=${r.references.map(m=>[m.name,m.name])}
        />`}
    </div>
    <${ee}
      series=${n}
      position=${s}
      max=${r.pixels}
      marker=${p}
      onScrub=${m=>e({count:Zt(t,m)})}
      label=${`Probability while pixels are ${d}. Drag to scrub.`}
      axis=${`pixels ${d}, most important first`}
    />
    <${Qe} name="scrub" chosen=${t} set=${e} valueText=${a} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${S(s/r.pixels,1)} · ${re(s)} pixels ${d}</span>
    </p>
  </div>`}function Qe({name:t,chosen:e,set:n,valueText:o}){let{bundle:a,direction:r,count:i,curve:s}=e,{pixels:c}=a,d=l=>n({count:Math.min(c,Math.max(0,l))}),p=s.counts.filter(l=>l<i).at(-1),m=s.counts.find(l=>l>i),g=l=>{let h={ArrowRight:1,ArrowUp:1,ArrowLeft:-1,ArrowDown:-1}[l.key],f={PageUp:m??i,PageDown:p??i,Home:0,End:c}[l.key];h===void 0&&f===void 0||(l.preventDefault(),d(f??i+Math.round((h??0)*c/100)))};return u`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${p===void 0}
      onClick=${()=>d(p??0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${t}
      min="0"
      max=${c}
      step="1"
      value=${i}
      aria-label=${`Pixels ${Ze[r]}`}
      aria-valuetext=${`${S(i/c,1)} of the pixels ${Ze[r]}. ${o}`}
      style=${{"--filled":`${100*i/c}%`}}
      onInput=${l=>n({count:Zt(e,Number(l.currentTarget.value))})}
      onKeyDown=${g}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${m===void 0}
      onClick=${()=>d(m??0)}
    >
      ›
    </button>
  </div>`}var Zt=({bundle:t,curve:e},n)=>qt(e.counts,Math.round(n),.008*t.pixels);function Qt(t){let e=R(0);return(n,o)=>{if(cancelAnimationFrame(e.current),matchMedia("(prefers-reduced-motion: reduce)").matches)return t({count:o});let a=performance.now(),r=i=>{let s=Math.min(1,Math.max(0,(i-a)/700));t({count:s<1?Math.round(n+(o-n)*s*s*(3-2*s)):o}),s<1&&(e.current=requestAnimationFrame(r))};e.current=requestAnimationFrame(r)}}function I(t,e){let n=t.entries[e.method]??t.entries[0],o=Math.max(0,t.targets.indexOf(e.class)),a=Math.max(0,t.references.findIndex(r=>r.name===e.reference));return{bundle:t,entry:n,target:o,explained:t.info(t.targets[o]),reference:a,count:Math.round(Math.min(t.pixels,Math.max(0,e.count))),direction:e.direction,curve:n.curve(o,e.direction,a),view:{zoom:Math.max(1,e.zoom),x:e.x,y:e.y}}}var Y=t=>`var(--series-${t%8})`;function en({bundle:t,state:e,set:n}){let o=I(t,e),{target:a,reference:r,direction:i,count:s,explained:c,view:d}=o,p=w(()=>Qn(o),[t,a,r,i]),m=t.entries.map(h=>Ce(h.curve(a,i,r),s).values[c.slot]),g=t.entries.map((h,f)=>`${h.method} ${C(m[f])}`).join(", "),l=w(()=>u`<section class="card scores" aria-label="Scores">
          <h2>Scores</h2>
          <${Zn} chosen=${o} state=${e} set=${n} />
        </section>
        <${Jn} chosen=${o} set=${n} />`,[t,a,r,e.sort,e.descending,e.zoom,e.x,e.y]);return u`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${c.name}</b>. Drag once, and each map loses its own
        most important pixels: the better the map, the sooner
        the probability ${i==="deletion"?"drops":"rises"}. A map is worth
        looking at if it beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${t.targets.length>1&&u`<${E}
          label="Explain"
          value=${String(c.index)}
          onChange=${h=>n({class:Number(h)})}
          options=${t.targets.map(h=>[String(h),t.className(h)])}
        />`}
      <${E}
        label="Show"
        value=${e.show}
        onChange=${h=>n({show:h})}
        options=${[["both","Map and image"],["map","Map"],["image","Image"]]}
      />
      ${e.show!=="image"&&u`<${E}
          label="Map"
          value=${e.view}
          onChange=${h=>n({view:h})}
          options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"]]}
        />`}
      <div class="field zooms">
        <span class="label">Zoom ${d.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${()=>n(W(d,d.zoom/1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${()=>n(W(d,d.zoom*1.5))}>+</button>
          <button type="button" onClick=${()=>n({zoom:1,x:0,y:0})}>Reset</button>
        </div>
      </div>
    </div>
    <div class="compare">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${c.name}</h2>
        <${ze} chosen=${o} set=${n} series=${p} valueText=${g} />
        <p class="names">
          ${t.entries.map((h,f)=>u`<span><i class="swatch" style=${{background:Te(h,f)}}></i>${h.method}</span>`)}
        </p>
      </section>
      <section class="methods" aria-label="Methods">
        ${t.entries.map((h,f)=>u`<${Yn} key=${f} entry=${h} chosen=${o} state=${e} set=${n} color=${Te(h,f)} value=${m[f]} />`)}
      </section>
      <div class="dock"><${Qe} name="dock" chosen=${o} set=${n} valueText=${g} /></div>
      ${l}
    </div>`}function Yn({entry:t,chosen:e,state:n,set:o,color:a,value:r}){let{bundle:i,target:s,reference:c,direction:d,count:p,view:m}=e,g={width:i.width,height:i.height,view:m,onView:o},l=u`<i class="swatch" style=${{background:a}}></i>${t.method}`,h=n.show!=="image";return u`<div class="method">
    ${h&&u`<${z} ...${g} title=${l} note=${n.show==="map"?C(r):void 0}>
        <${N} bundle=${i} /><${Ae}
          entry=${t}
          target=${s}
          view=${n.view}
          opacity=${n.opacity}
          label=${`Map by ${t.method}`}
      /><//>`}
    ${n.show!=="map"&&u`<${z}
        ...${g}
        title=${h?u`<span class="muted">${i.className(i.targets[s])}</span>`:l}
        note=${u`<b>${C(r)}</b>`}
      >
        <${Se}
          entry=${t}
          target=${s}
          reference=${c}
          direction=${d}
          count=${p}
          label=${`Perturbed by ${t.method}: ${C(r)}`}
      /><//>`}
  </div>`}function Jn({chosen:{bundle:t,target:e,view:n},set:o}){let a=t.entries.filter(s=>!s.isBaseline),r=w(()=>a.length>1?Xt(a.map(s=>s.ranks(e))):null,[t,e]);if(!r)return null;let i=r.reduce((s,c)=>s+c,0)/r.length;return u`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${a.map(s=>s.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${S(i)}.
    </p>
    <${z} title="Spread of the ranks" width=${t.width} height=${t.height} view=${n} onView=${o}>
      <${N} bundle=${t} />
      <${T}
        name="disagreement"
        width=${t.width}
        height=${t.height}
        deps=${[r]}
        label="Standard deviation of the relative ranks"
        draw=${s=>q(s,K(r),.9)}
      />
    <//>
  </section>`}function Zn({chosen:{bundle:t,reference:e,explained:n},state:o,set:a}){let r=t.references[e].name,i=[...new Map(t.entries.flatMap(h=>h.scores.map(f=>[f.metric,f.higher_is_better])))],s=(h,f)=>{if(f==="passes")return h.cost.forwards+h.cost.backwards;let _=h.scores.filter(b=>b.metric===f&&b.target===n.index);return(_.find(b=>b.reference===r)??_.find(b=>b.reference==="all"))?.score??null},c=[...i,["passes",!1]],d=o.descending?-1:1,p=[...t.entries].sort((h,f)=>d*((s(h,o.sort)??-1/0)-(s(f,o.sort)??-1/0))),m=new Map(c.map(([h,f])=>{let _=t.entries.map(b=>s(b,h)).filter(b=>b!==null);return[h,f?Math.max(..._):Math.min(..._)]})),g=(h,f)=>a(h===o.sort?{descending:!o.descending}:{sort:h,descending:f}),l=(h,f)=>h===o.sort?o.descending?"▼":"▲":f?"↑":"↓";return u`<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">method</th>
            ${c.map(([h,f])=>u`<th
                  scope="col"
                  key=${h}
                  aria-sort=${h===o.sort?o.descending?"descending":"ascending":"none"}
                >
                  <button type="button" onClick=${()=>g(h,f)}>
                    ${be(h)} <span aria-hidden="true">${l(h,f)}</span>
                  </button>
                </th>`)}
          </tr>
        </thead>
        <tbody>
          ${p.map(h=>u`<tr key=${t.entries.indexOf(h)}>
                <th scope="row">
                  <i class="swatch" style=${{background:Te(h,t.entries.indexOf(h))}}></i
                  >${h.method}
                </th>
                ${c.map(([f])=>{let _=s(h,f),b=_===null?"–":f==="passes"?String(Math.round(_)):_.toFixed(3);return u`<td
                    class=${f!=="passes"&&_!==null&&_===m.get(f)?"best":""}
                  >
                    ${b}
                  </td>`})}
              </tr>`)}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${r}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`}var Te=(t,e)=>t.isBaseline?"var(--muted)":Y(e);function Qn({bundle:t,target:e,direction:n,reference:o,explained:a}){let r=t.watched.length;return t.entries.map((i,s)=>{let{counts:c,probabilities:d}=i.curve(e,n,o),p=c.map((m,g)=>d[g*r+a.slot]);return{name:`${s} ${i.method}`,color:Te(i,s),x:c,y:p,strong:!i.isBaseline,dashed:i.isBaseline}})}var tn=95367431640625e-20;function nn(t,{temperatures:e,mode:n,scale:o}){let a=e.map(d=>n==="multiply"?d:1/d),r=o==="max"&&eo(t)||1,i=t[0].length,s=t.map(()=>new Float64Array(i)),c=new Float64Array(t.length);for(let d=0;d<i;d++){let p=Math.max(...t.map(m=>m[d]));for(let m of a){let g=0;for(let l=0;l<t.length;l++)g+=c[l]=Math.exp((t[l][d]-p)/r*m);for(let l=0;l<t.length;l++)s[l][d]+=c[l]/g/a.length}}return s}function on(t,e,n){let o=1/t.length,a=Math.max(n,tn);return t.map((r,i)=>r.map((s,c)=>e[i][c]-o>a?s*e[i][c]:0))}function rn(t,e){let n=1/t.length;return t[0].map((o,a)=>{let r=Math.min(...t.map(s=>Math.max(s[a],0))),i=Math.max(...e.map(s=>s[a]));return r*(1-(i-n)/(1-n))})}function an(t,e){let n=t.map(o=>new Float64Array(o.length));for(let o=0;o<t[0].length;o++){let a=e.map(c=>c[o]),r=Math.max(...a),i=a.indexOf(r),s=Math.max(...a.filter((c,d)=>d!==i));r-s>tn&&(n[i][o]=Math.max(t[i][o],0)*(r-s))}return n}function eo(t){let e=0;for(let n of t)for(let o of n)e=Math.max(e,Math.abs(o));return e}function et(t,e,n){let o=e.map(r=>se(t,r)),a=nn(o,n);return{distribution:a,own:on(o,a,n.tau),won:an(o,a),shared:rn(o,a)}}function to(t){let e=t.split(/[\s,;]+/).filter(Boolean).map(Number);return e.length&&e.every(n=>n>=0&&n<1/0)?e:null}function sn({bundle:t,state:e,set:n}){let{view:o}=I(t,e),a=t.entries.filter(x=>!x.classAgnostic),r=a.includes(t.entries[e.method])?t.entries[e.method]:a[0],i=Math.max(0,t.targets.indexOf(e.a)),s=t.targets.includes(e.b)&&t.targets.indexOf(e.b)!==i?t.targets.indexOf(e.b):+(i===0),c=to(e.temperatures),d=c&&(e.mode==="multiply"||c.every(Boolean))?c:[1,5,100],p=w(()=>et(r,[i,s],{temperatures:d,mode:e.mode,scale:e.scaled?"max":null,tau:e.tau}),[r,i,s,d.join(),e.mode,e.scaled,e.tau]),m=w(()=>Me(p.own),[p]),[g,l]=[i,s].map(x=>t.className(t.targets[x])),h=[Math.min(1,2*(1-e.mix)),Math.min(1,2*e.mix)],f=p.own.map(x=>x.reduce(($,P)=>$+ +(P!==0),0)/x.length),_={width:t.width,height:t.height,view:o,onView:n},b=t.targets.map(x=>[x,t.className(x)]),v=(x,$,P,J,Z)=>u`<${N} bundle=${t} color=${0} /><${T}
        name=${x}
        width=${t.width}
        height=${t.height}
        label=${Z}
        deps=${[$,P]}
        draw=${D=>jt(D,$,P,J)}
      />`;return u`<header class="intro">
      <h1>Why <strong class="class-a">${g}</strong> and not <strong class="class-b">${l}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR). Slide from one
        class to the other. The model gives${" "}
        ${g} ${C(t.info(t.targets[i])?.probability??0)} and ${l} ${C(t.info(t.targets[s])?.probability??0)}.
      </p>
    </header>
    <div class="choices row">
      <${ye}
        label="A"
        value=${t.targets[i]}
        options=${b}
        onChange=${x=>n(x===t.targets[s]?{a:x,b:t.targets[i]}:{a:x})}
      />
      <${ye}
        label="B"
        value=${t.targets[s]}
        options=${b}
        onChange=${x=>n(x===t.targets[i]?{a:t.targets[s],b:x}:{b:x})}
      />
      <${ye}
        label="Method"
        value=${t.entries.indexOf(r)}
        options=${a.map(x=>[t.entries.indexOf(x),x.method])}
        onChange=${x=>n({method:x})}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${z} ...${_} title="Who wins where" note="gray: neither">
          <${N} bundle=${t} color=${0} />
          <${T}
            name="winners"
            width=${t.width}
            height=${t.height}
            label=${`${g} in orange, ${l} in blue`}
            deps=${[p,...h]}
            draw=${x=>Ut(x,p.won,h,.9)}
          />
        <//>
        <${U}
          label="From A to B"
          name="mix"
          value=${e.mix}
          min=${0}
          max=${1}
          step=${.01}
          text=${no(e.mix,g,l)}
          onInput=${x=>n({mix:x})}
          ends=${[u`<b class="class-a">${g}</b>`,u`<b class="class-b">${l}</b>`]}
        />
      </section>
      <section class="parts">
        <${z}
          ...${_}
          title=${u`<i class="swatch class-a"></i>Only for ${g}`}
          note=${`${S(f[0])} of the pixels`}
          >${v("own-a",p.own[0],m,0,`Evidence that ${g} keeps`)}<//
        >
        <${z}
          ...${_}
          title=${u`<i class="swatch class-b"></i>Only for ${l}`}
          note=${`${S(f[1])} of the pixels`}
          >${v("own-b",p.own[1],m,1,`Evidence that ${l} keeps`)}<//
        >
        <${z} ...${_} title=${u`<i class="swatch class-shared"></i>Shared`}
          >${v("shared",p.shared,Me([p.shared]),-1,"Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${e.temperatures}
              aria-invalid=${!c}
              inputmode="decimal"
              onChange=${x=>n({temperatures:x.currentTarget.value})}
          /></label>
          <${E}
            label="They are"
            value=${e.mode}
            onChange=${x=>n({mode:x})}
            options=${[["multiply","factors"],["divide","divisors"]]}
          />
          <${U}
            label="Threshold above an even share"
            name="tau"
            value=${e.tau}
            min=${0}
            max=${.5}
            step=${.01}
            text=${e.tau.toFixed(2)}
            onInput=${x=>n({tau:x})}
          />
          <${ve}
            label="Scale the maps to a largest value of 1 first"
            checked=${e.scaled}
            onChange=${x=>n({scaled:x})}
          />
        </div>
      </section>
    </div>`}function no(t,e,n){return t===.5?"both":t<.5?t===0?`only ${e}`:`mostly ${e}`:t===1?`only ${n}`:`mostly ${n}`}function cn(t,e,n){let o=Array.from(t),a=o.map((s,c)=>s>=n?1-(c+1)/o.length:s),r=Math.max(...a),i=Math.max(...o)/(r>0?r:1);return o.map((s,c)=>(1-e)*s+e*a[c]*i)}function ln(t,e){let n=new Float64Array(t.length);return t.forEach((o,a)=>n[e[a]]=o),n}var tt=["extras.order","extras.sparse"];function Pe(t,e,n){let o=Number(t.options.kappa??.005),a=cn(t.ofClass("extras.sparse",e),n,o);return{ranked:a,map:ln(a,t.ofClass("extras.order",e))}}function pn({bundle:t,state:e,set:n}){let{target:o,view:a,explained:r}=I(t,e),i=t.entries.filter(f=>f.has(...tt)),s=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],c=Math.min(1,Math.max(0,e.gamma)),{ranked:d,map:p}=w(()=>Pe(s,o,c),[s,o,c]),m=w(()=>Pe(s,o,0).ranked,[s,o]),g=w(()=>K(ie(p,s.rows,s.cols,t.height,t.width)),[p]),l=d.map((f,_)=>_+1),h=w(()=>[{name:"sparse",color:"var(--muted)",x:l,y:m,plain:!0},{name:"now",color:"var(--series-0)",x:l,y:d,strong:!0,plain:!0}],[d]);return u`<header class="intro">
      <h1>How dense should the map of <strong>${r.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <div class="explain">
      <section class="stage">
        <${z}
          title=${`${s.method} for ${r.name}`}
          note=${`gamma ${c.toFixed(2)}`}
          width=${t.width}
          height=${t.height}
          view=${a}
          onView=${n}
        >
          <${N} bundle=${t} />
          <${T}
            name="density"
            width=${t.width}
            height=${t.height}
            deps=${[g]}
            label=${`Map at gamma ${c.toFixed(2)}`}
            draw=${f=>q(f,g,.9)}
        /><//>
      </section>
      <section class="card">
        <h2>Magnitude by rank</h2>
        <${ee}
          series=${h}
          max=${l.length}
          range=${[0,Math.max(...m)||1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${f=>String(Math.round(f))}
          formatY=${f=>f.toFixed(2)}
        />
        <${U}
          label="Gamma"
          name="gamma"
          value=${c}
          min=${0}
          max=${1}
          step=${.01}
          text=${c.toFixed(2)}
          onInput=${f=>n({gamma:f})}
          ends=${["sparse","dense"]}
        />
      </section>
    </div>`}function dn({classes:t,values:e,measured:n,explained:o,winner:a}){return u`<ul class=${`bars ${n?"":"between"}`} aria-label="Class probabilities">
    ${t.map(({index:r,name:i,slot:s,probability:c})=>u`<li
          key=${r}
          data-class=${r}
          data-probability=${e[s]}
          class=${`${r===o?"explained":""} ${r===a?"winner":""}`}
          style=${{color:Y(s)}}
        >
          <span class="name" title=${i}>${i}</span>
          <span class="track"
            ><i style=${{transform:`scaleX(${e[s]})`}}></i><b style=${{left:`${100*c}%`}}></b
          ></span>
          <span class="value">${C(e[s])}</span>
        </li>`)}
  </ul>`}function un({chosen:{bundle:t,entry:e,target:n,reference:o,explained:a}}){let r=t.references[o].name,i=e.scores.filter(d=>d.target===a.index&&d.reference===r),s=Object.entries(e.checks).filter(([,d])=>!d[n]),c=Object.entries(e.options).map(([d,p])=>`${d}=${JSON.stringify(p)}`);return u`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${e.about&&u`<p>${e.about}</p>`}
    <dl>
      ${i.map(d=>u`<div>
            <dt>${be(d.metric)}</dt>
            <dd>
              ${d.score?.toFixed(3)??"undefined"} <span class="muted">${d.higher_is_better?"higher is better":"lower is better"}</span>
            </dd>
          </div>`)}
      <div>
        <dt>cost</dt>
        <dd>
          ${re(Math.round(e.cost.forwards))} forward and ${re(Math.round(e.cost.backwards))} backward
          passes, ${e.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${s.length?u`<b class="bad">failed: ${s.map(([d])=>d).join(", ")}</b>`:`passed: ${Object.keys(e.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${c.join(", ")||"defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${e.rows} × ${e.cols} values${e.classAgnostic&&", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${t.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${Ke}
        text=${e.code}
        label="Copy code"
      />${e.citation&&u`<${Ke} text=${e.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${e.code}</pre>
    </details>
    ${e.citation&&u`<details>
        <summary>Citation</summary>
        <pre>${e.citation}</pre>
      </details>`}
  </section>`}function hn({bundle:t,state:e,set:n}){let o=I(t,e),{entry:a,target:r,reference:i,direction:s,count:c,curve:d,explained:p}=o,m=w(()=>Wt(d,t.prediction,s),[a,r,i,s]),g=w(()=>co(o),[a,r,i,s]),l=Ce(d,c),h=Qt(n),f=S(c/t.pixels),_={width:t.width,height:t.height,view:o.view,onView:n},b=w(()=>{let $=u`<${Ae}
      entry=${a}
      target=${r}
      view=${e.view}
      opacity=${e.opacity}
      label=${`Map by ${a.method} for ${p.name}`}
    />`,P=u`<${Jt} view=${e.view} />`;return{layer:$,top:u`<${oo} chosen=${o} /><${ro} chosen=${o} set=${n} />`,map:e.side&&u`<${z} ...${_} title="The map" note=${P}><${N} bundle=${t} />${$}<//>`,controls:u`<${ao} state=${e} set=${n} />`,facts:u`<${un} chosen=${o} />`}},[a,r,i,s,e.view,e.opacity,e.side,e.zoom,e.x,e.y]),v=s==="deletion"?"removed":"shown",x=c?`${f} ${v}`:s==="deletion"?"untouched":"nothing yet";return u`${b.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${e.side?"two":"one"}`}>
          <${z} ...${_} title="What the model sees" note=${x}>
            <${Se}
              entry=${a}
              target=${r}
              reference=${i}
              direction=${s}
              count=${c}
              label=${`The image with ${f} of its pixels ${v}`}
            />
            ${!e.side&&b.layer}
          <//>
          ${b.map}
        </div>
        ${b.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        <${ze}
          chosen=${o}
          set=${n}
          series=${g}
          flip=${m}
          valueText=${`${p.name} ${C(l.values[p.slot])}`}
        />
        <${io} chosen=${o} flip=${m} onGo=${()=>m!==null&&h(c,m)} />
        <${so} chosen=${o} now=${l} />
        <${dn}
          classes=${t.watched}
          values=${l.values}
          measured=${l.measured}
          explained=${p.index}
          winner=${l.measured?d.top1[l.left]:null}
        />
      </section>
      ${b.facts}
    </div>`}function oo({chosen:{bundle:t,entry:e,explained:n,direction:o}}){let a=t.info(t.prediction),r=n.index!==t.prediction,i=o==="deletion"?"Drag along the curve to remove its most important pixels first: if the map is right, the model changes its mind early.":"Drag along the curve to show only its most important pixels: if the map is right, the model recognizes the image early.";return u`<header class="intro">
    <h1>
      The model says <strong>${t.className(t.prediction)}</strong>${a&&u` <span class="muted">with ${C(a.probability)} probability</span>`}
    </h1>
    <p>
      ${e.isBaseline?u`<code>${e.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`:u`The map shows where <code>${e.method}</code> finds the evidence
              for <b>${n.name}</b>${r&&` (${C(n.probability)})`}.`} ${i}
    </p>
  </header>`}function ro({chosen:{bundle:t,entry:e,explained:n},set:o}){return u`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${t.targets.map(a=>{let r=t.info(a);return u`<button
            type="button"
            class="chip"
            key=${a}
            aria-pressed=${a===n.index}
            onClick=${()=>o({class:a})}
          >
            <i style=${{background:Y(r.slot)}}></i>${r.name}
            <span>${C(r.probability)}</span>
          </button>`})}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${t.entries.map((a,r)=>u`<button
              type="button"
              class="chip"
              key=${r}
              aria-pressed=${a===e}
              title=${a.about}
              onClick=${()=>o({method:r})}
            >
              ${a.method}${a.isBaseline&&u` <span>baseline</span>`}
            </button>`)}
      </div>
    </div>
  </div>`}function ao({state:t,set:e}){return u`<div class="row controls">
    <${E}
      label="Map"
      value=${t.view}
      onChange=${n=>e({view:n})}
      options=${[["magnitude","Magnitude"],["signed","Signed"],["contour","Contour"],["off","Off"]]}
    />
    <${U}
      label="Opacity"
      name="opacity"
      value=${t.opacity}
      min=${0}
      max=${1}
      step=${.05}
      text=${S(t.opacity)}
      onInput=${n=>e({opacity:n})}
    />
    <${ve} label="Side by side" checked=${t.side} onChange=${n=>e({side:n})} />
    ${t.zoom>1&&u`<button type="button" class="button" onClick=${()=>e({zoom:1,x:0,y:0})}>Reset zoom</button>`}
  </div>`}function io({chosen:{bundle:t,direction:e,curve:n},flip:o,onGo:a}){let r=t.className(t.prediction),i=e==="deletion"?"Remove until the decision flips":`Add until the model says ${r}`;if(o===null)return u`<p class="flip muted">
      ${e==="deletion"?`The model says ${r} at every measured point.`:`The model never says ${r} on this curve.`}
    </p>`;let s=t.className(n.top1[n.counts.indexOf(o)]);return u`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${o} onClick=${a}>${i}</button>
    <span class="muted"
      >at ${S(o/t.pixels)}, the smallest measured
      step${e==="deletion"&&`; then it says ${s}`}</span
    >
  </p>`}function so({chosen:{bundle:t,curve:e,explained:n},now:o}){let a=c=>t.className(e.top1[c]),r=c=>S(e.counts[c]/t.pixels);if(!o.measured){let c=a(o.left)===a(o.right);return u`<p class="verdict">
      Between two measured points: ${n.name} about <b>${C(o.values[n.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${r(o.left)} and ${r(o.right)}: ${c?a(o.left):`${a(o.left)}, then ${a(o.right)}`}.
      </span>
    </p>`}let i=e.top1[o.left]!==t.prediction,s=t.info(e.top1[o.left]);return u`<p class=${`verdict ${i?"changed":""}`}>
    The model ${i?"now says":"says"} <b>${a(o.left)}</b>${s?u` with <b>${C(o.values[s.slot])}</b>`:" (not among the watched classes)"}.
  </p>`}function co({bundle:t,curve:e,explained:n}){let o=t.watched.length;return t.watched.map(({name:r,slot:i,index:s})=>({name:r,color:Y(i),x:e.counts,y:e.counts.map((c,d)=>e.probabilities[d*o+i]),strong:s===n.index})).sort((r,i)=>Number(r.strong)-Number(i.strong))}var nt=["extras.steps","extras.objective"];function mn({bundle:t,state:e,set:n}){let{target:o,view:a,explained:r}=I(t,e),i=t.entries.filter(_=>_.has(...nt)),s=i.includes(t.entries[e.method])?t.entries[e.method]:i[0],c=s.tensor("extras.steps").shape[1]-1,d=Math.round(Math.min(c,Math.max(0,e.step))),[p,m]=H(!1);$e(()=>{if(!p)return;let _=setTimeout(()=>d<c?n({step:d+1}):m(!1),250);return()=>clearTimeout(_)},[p,d,c]);let g=w(()=>Array.from(s.ofClass("extras.objective",o)),[s,o]),l=g.filter(Number.isFinite),h=w(()=>[{name:"objective",color:"var(--series-0)",x:g.map((_,b)=>b),y:g,strong:!0}],[g]),f=()=>{!p&&d===c&&n({step:0}),m(!p)};return u`<header class="intro">
      <h1>How the map of <strong>${r.name}</strong> improved</h1>
      <p>
        <code>${s.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner. Drag along the objective to see the map after each step.
      </p>
    </header>
    <div class="explain">
      <section class="stage">
        <${z}
          title=${`Step ${d} of ${c}`}
          note=${Number.isFinite(g[d])?`objective ${g[d].toFixed(3)}`:""}
          width=${t.width}
          height=${t.height}
          view=${a}
          onView=${n}
        >
          <${N} bundle=${t} />
          <${T}
            name="film"
            width=${t.width}
            height=${t.height}
            deps=${[s,o,d]}
            label=${`Map after ${d} steps`}
            draw=${_=>q(_,Yt(s,o,d),.9)}
        /><//>
      </section>
      <section class="card">
        <h2>Objective</h2>
        <${ee}
          series=${h}
          position=${d}
          max=${c}
          range=${lo(l)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          ticks=${[0,Math.round(c/2),c]}
          formatX=${String}
          formatY=${_=>_.toFixed(2)}
          onScrub=${_=>n({step:Math.round(_)})}
        />
        <${U}
          label="Step"
          name="step"
          value=${d}
          min=${0}
          max=${c}
          step=${1}
          text=${`${d} of ${c}`}
          onInput=${_=>n({step:_})}
        />
        <button type="button" class="button primary" onClick=${f}>${p?"Pause":"Play"}</button>
      </section>
    </div>`}function lo(t){if(!t.length)return[0,1];let[e,n]=[Math.min(...t),Math.max(...t)],o=.1*(n-e||1);return[e-o,n+o]}var po=[{name:"explain",title:"Explain",screen:hn,offered:()=>!0},{name:"compare",title:"Compare",screen:en,offered:t=>t.entries.length>1},{name:"contrast",title:"A or B",screen:sn,offered:t=>t.targets.length>1&&t.entries.some(e=>!e.classAgnostic)},{name:"density",title:"Density",screen:pn,offered:t=>t.entries.some(e=>e.has(...tt))},{name:"film",title:"Film",screen:mn,offered:t=>t.entries.some(e=>e.has(...nt))}];function fn({bundles:t,store:e}){let[n,o]=H(e.state);$e(()=>{let c=()=>o(e.state);return e.listeners.push(c),c(),()=>{e.listeners.splice(e.listeners.indexOf(c),1)}},[]);let a=t[n.image]===void 0?0:n.image,r=t[a];if(!r)return u`<p class="intro">Reading the image…</p>`;let i=po.filter(c=>c.offered(r)),s=i.find(c=>c.name===n.screen)??i[0];return u`<nav class="top" aria-label="Explorer">
      <span class="brand">seewhy</span>
      ${i.length>1&&u`<${uo} screens=${i} current=${s.name} onChange=${c=>e.set({screen:c})} />`}
      <span class="file" title=${r.name}>${r.name} · ${r.model}</span>
    </nav>
    ${t.length>1&&u`<${ho} bundles=${t} current=${a} onChange=${c=>e.set({image:c,count:0,zoom:1,x:0,y:0})} />`}
    <div class="screen" role="region" aria-label=${s.title} data-screen=${s.name}>
      <${s.screen} key=${a} bundle=${r} state=${n} set=${e.set} />
    </div>`}function uo({screens:t,current:e,onChange:n}){return u`<div class="tabs" role="tablist" onKeyDown=${a=>{let r={ArrowLeft:-1,ArrowRight:1}[a.key];if(!r)return;let s=(t.findIndex(c=>c.name===e)+r+t.length)%t.length;n(t[s].name),a.currentTarget.children[s].focus()}}>
    ${t.map(({name:a,title:r})=>u`<button
          type="button"
          role="tab"
          key=${a}
          aria-selected=${a===e}
          tabindex=${a===e?0:-1}
          onClick=${()=>n(a)}
        >
          ${r}
        </button>`)}
  </div>`}function ho({bundles:t,current:e,onChange:n}){return u`<div class="strip" role="group" aria-label="Images">
    ${t.map((o,a)=>u`<button type="button" key=${a} aria-pressed=${a===e} onClick=${()=>n(a)}>
          ${o?u`<${T} width=${o.width} height=${o.height} deps=${[o]} draw=${r=>r.set(o.image)} />`:u`<span class="blank"></span>`}
          <span
            >${o?`${o.className(o.prediction)} ${C(o.info(o.prediction)?.probability??0)}`:"…"}</span
          >
        </button>`)}
  </div>`}var ot={U8:Uint8Array,U16:Uint16Array,U32:Uint32Array,I16:Int16Array,I32:Int32Array,F32:Float32Array};function gn(t,{packed:e=!1}={}){let n=new DataView(t.buffer,t.byteOffset,t.byteLength),o=8+Number(n.getBigUint64(0,!0)),a=JSON.parse(new TextDecoder().decode(t.subarray(8,o))),r=new Map;for(let[i,s]of Object.entries(a)){if(i==="__metadata__")continue;let[c,d]=s.data_offsets,p=t.slice(o+c,o+d),m=s.shape,g=e?mo(p,s.dtype,m[m.length-1]):p,l=new ot[s.dtype](g.buffer);r.set(i,{values:l,shape:m})}return{metadata:a.__metadata__??{},tensors:r}}function mo(t,e,n){let o=fo(t,ot[e].BYTES_PER_ELEMENT);if(e.startsWith("I"))return o;let a=new ot[e==="F32"?"U32":e](o.buffer);if(go(a,n),e==="F32")for(let r=0;r<a.length;r++)a[r]=a[r]&2147483648?a[r]&2147483647:~a[r];return o}function fo(t,e){let n=t.length/e,o=new Uint8Array(t.length);for(let a=0;a<e;a++)for(let r=0;r<n;r++)o[r*e+a]=t[a*n+r];return o}function go(t,e){for(let n=0;n<t.length;n++)t[n]=t[n]>>>1^-(t[n]&1);for(let n=e;n<t.length;n++)t[n]+=t[n-e];for(let n=1;n<t.length;n++)n%e&&(t[n]+=t[n-1])}var _n=["deletion","insertion"],_o=["random","center"],rt=class{constructor(e,n,o){this.bundle=o,this.method=e.label||e.method,this.about=e.about,this.options=e.options,this.classAgnostic=e.class_agnostic,this.cost=e.cost,this.checks=e.checks,this.scores=e.scores,this.citation=e.citation,this.code=e.code,this.tensors=n,this.ranked=new Map;let[,a,r]=this.tensor("maps").shape;this.rows=a,this.cols=r,this.isBaseline=_o.includes(e.method)}tensor(e){let n=this.tensors.get(e);if(!n)throw new Error(`the bundle holds no ${e} of ${this.method}`);return n}has(...e){return e.every(n=>this.tensors.has(n))}ofClass(e,n){let{values:o,shape:a}=this.tensor(e),r=o.length/a[0],i=a[0]===1?0:n;return o.subarray(i*r,(i+1)*r)}map(e){return this.ofClass("maps",e)}ranks(e){if(this.has("ranks"))return this.ofClass("ranks",e);let n=this.classAgnostic?0:e,o=this.ranked.get(n);if(o)return o;let r=!this.map(n).every(Number.isFinite)?new Float64Array(this.bundle.pixels):se(this,n),i=Ht(r,this.ofClass("corrections",n));return this.ranked.set(n,i),i}curve(e,n,o){let a=this.bundle.counts[n],r=this.bundle.references.length,i=_n.indexOf(n)*r+o,s=this.bundle.watched.length,c=this.ofClass("probabilities",e),d=this.ofClass("top1",e),p=a.length;return{counts:a,probabilities:c.subarray(i*p*s,(i+1)*p*s),top1:d.subarray(i*p,(i+1)*p)}}},at=class{constructor(e,n,o){this.name=e;let[a,r]=_n.map(i=>{let{values:s,shape:c}=n(i),d=s.length/c[0];return Array.from({length:c[0]},(p,m)=>xn(s.subarray(m*d,(m+1)*d),o))});this.images={deletion:a,insertion:r}}image(e,n){let o=this.images[e];return o.length===1?o[0]:o[n]}},it=class{constructor(e,n){this.name=e.name,this.model=e.model,this.targets=e.targets,this.prediction=e.prediction,this.counts=e.counts,this.classNames=e.class_names;let o=n.get("image");if(!o)throw new Error("the bundle holds no image");this.height=o.shape[1],this.width=o.shape[2],this.pixels=this.height*this.width,this.image=xn(o.values,this.pixels),this.watched=e.watched.map((a,r)=>({index:a,slot:r,name:this.className(a),probability:e.probabilities[r]})),this.references=e.references.map(a=>new at(a,r=>n.get(`references.${a}.${r}`),this.pixels)),this.entries=e.explanations.map((a,r)=>new rt(a,$o(n,`explanations.${r}.`),this))}className(e){return(this.classNames[e]??`class ${e}`).split(",")[0]}info(e){return this.watched.find(n=>n.index===e)}};async function $n(t){let e=Uint8Array.from(atob(t.trim()),i=>i.charCodeAt(0)),n=new Blob([e]).stream().pipeThrough(new DecompressionStream("gzip")),o=new Uint8Array(await new Response(n).arrayBuffer()),{metadata:a,tensors:r}=gn(o,{packed:!0});return new it(JSON.parse(a.seewhy),r)}function xn(t,e){let n=t.length/3,o=new Uint8ClampedArray(e*4);for(let a=0,r=0;a<e;a++,r+=4){let i=n===1?0:a;o[r]=t[i],o[r+1]=t[n+i],o[r+2]=t[2*n+i],o[r+3]=255}return new Uint32Array(o.buffer)}function $o(t,e){return new Map([...t].filter(([n])=>n.startsWith(e)).map(([n,o])=>[n.slice(e.length),o]))}var yn={image:0,screen:"explain",method:0,class:-1,direction:"deletion",reference:"",count:0,view:"magnitude",side:!0,opacity:.85,zoom:1,x:0,y:0,show:"both",sort:"ins_del",descending:!0,a:-1,b:-1,temperatures:"1, 5, 100",mode:"multiply",scaled:!1,tau:0,mix:.5,gamma:0,step:0},bn={screen:["explain","compare","contrast","density","film"],direction:["deletion","insertion"],view:["magnitude","signed","contour","off"],show:["image","map","both"],mode:["multiply","divide"]};function vn(t){let e=new URLSearchParams(t.replace(/^#/,"")),n=Object.entries(yn).map(([o,a])=>[o,xo(o,e.get(o),a)]);return Object.fromEntries(n)}function xo(t,e,n){return e===null?n:typeof n=="boolean"?e==="1":typeof n=="number"?e.trim()&&Number.isFinite(Number(e))?Number(e):n:bn[t]&&!bn[t].includes(e)?n:e}function bo(t){let e=new URLSearchParams;for(let[n,o]of Object.entries(yn)){let a=t[n];a!==o&&e.set(n,typeof a=="boolean"?a?"1":"0":String(a))}return e.toString()}var Fe=class{constructor(){this.state=vn(location.hash),this.listeners=[],this.pending=0,addEventListener("hashchange",()=>this.change(vn(location.hash)))}set=e=>{this.change({...this.state,...e}),clearTimeout(this.pending),this.pending=setTimeout(()=>this.write(),200)};change(e){this.state=e,this.listeners.forEach(n=>n())}write(){let e=bo(this.state);try{history.replaceState(null,"",e?`#${e}`:location.pathname+location.search)}catch{}}};var wn=`:root{color-scheme:light dark;--page: #f7f7f5;--card: #ffffff;--ink: #1b1d21;--muted: #646b75;--line: #dfe1e5;--soft: #eef0f2;--accent: #1f5fbf;--on-accent: #ffffff;--bad: #b3261e;--focus: #1f5fbf;--frame: #e4e6e9;--class-a: #b95a00;--class-b: #0068a5;--class-shared: #0f7a50;--series-0: #c25e00;--series-1: #0072b2;--series-2: #117733;--series-3: #aa3377;--series-4: #1b8098;--series-5: #5b4bb5;--series-6: #857000;--series-7: #6b7280}@media(prefers-color-scheme:dark){:root{--page: #14161a;--card: #1c1f24;--ink: #e9ebee;--muted: #a0a7b2;--line: #32363d;--soft: #262a30;--accent: #7fb2ff;--on-accent: #0d1420;--bad: #ff9a92;--focus: #9cc3ff;--frame: #0d0f12;--class-a: #ffa14a;--class-b: #5fb8f7;--class-shared: #5fce9a;--series-0: #ffa14a;--series-1: #5fb8f7;--series-2: #63cf8a;--series-3: #f08cc5;--series-4: #74d0e8;--series-5: #b0a4ff;--series-6: #dccb55;--series-7: #9aa2ad}}*,*:before,*:after{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica Neue,Arial,sans-serif;-webkit-text-size-adjust:100%}#explorer{max-width:1320px;margin:0 auto;padding:0 24px 48px}h1,h2,p,dl,dd,figure,ul{margin:0;padding:0}h1{font-size:26px;line-height:1.25;font-weight:500;letter-spacing:-.01em;text-wrap:balance}h1 strong{font-weight:700}h2{font-size:15px;font-weight:650;margin-bottom:12px}.muted{color:var(--muted);font-weight:400}code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92em}.intro code{background:var(--soft);border-radius:4px;padding:1px 5px}button,select,input{font:inherit;color:inherit}button{cursor:pointer}:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:4px}.top{display:flex;align-items:center;gap:24px;min-height:56px;border-bottom:1px solid var(--line)}.brand{font-weight:700;letter-spacing:-.02em;font-size:17px}.tabs{display:flex;align-self:stretch;gap:4px;overflow-x:auto;scrollbar-width:none}.tabs button{border:0;background:none;padding:0 12px;color:var(--muted);border-bottom:2px solid transparent;border-top:2px solid transparent;white-space:nowrap}.tabs button:hover{color:var(--ink)}.tabs button[aria-selected=true]{color:var(--ink);font-weight:600;border-bottom-color:var(--accent)}.tabs button:focus-visible{outline-offset:-4px}.file{margin-left:auto;color:var(--muted);font-size:13px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.strip{display:flex;gap:8px;overflow-x:auto;padding:12px 2px 4px}.strip button{border:1px solid transparent;border-radius:8px;background:none;padding:4px;width:104px;flex:none;text-align:left;font-size:12px;color:var(--muted)}.strip button[aria-pressed=true]{border-color:var(--accent);color:var(--ink);background:var(--card)}.strip canvas,.strip .blank{display:block;width:100%;aspect-ratio:1;border-radius:5px;background:var(--soft);object-fit:cover}.strip span{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.intro{padding:22px 0 14px;max-width:860px}.intro p{margin-top:8px;color:var(--muted);text-wrap:pretty}.intro p b,.intro p code{color:var(--ink)}.choices{display:flex;flex-wrap:wrap;gap:12px 28px;padding-bottom:16px;align-items:flex-start}.field{display:flex;flex-direction:column;gap:5px;min-width:0}.label{font-size:12px;color:var(--muted);display:flex;justify-content:space-between;gap:8px}.label output{color:var(--ink);font-variant-numeric:tabular-nums}.chips{display:flex;flex-wrap:wrap;gap:6px}.chip{display:inline-flex;align-items:center;gap:7px;border:1px solid var(--line);background:var(--card);border-radius:999px;padding:4px 12px;min-height:34px}.chip i{width:9px;height:9px;border-radius:50%}.chip span{color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}.chip:hover{border-color:var(--muted)}.chip[aria-pressed=true]{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.segmented{display:inline-flex;background:var(--soft);border-radius:8px;padding:3px;width:fit-content;max-width:100%;overflow-x:auto}.segmented button{border:0;background:none;padding:3px 11px;min-height:30px;border-radius:6px;color:var(--muted);white-space:nowrap;font-size:14px}.segmented button:hover{color:var(--ink)}.segmented button[aria-pressed=true]{background:var(--card);color:var(--ink);box-shadow:0 1px 2px #0003}.segmented button:focus-visible{outline-offset:-2px}.row{display:flex;flex-wrap:wrap;gap:12px 20px;align-items:flex-end}.button{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 14px;min-height:36px}.button:hover{border-color:var(--muted)}.button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent);font-weight:600}.button.primary:hover{filter:brightness(1.07)}select,input[type=text]{border:1px solid var(--line);background:var(--card);border-radius:8px;padding:5px 10px;min-height:36px;min-width:120px}input[aria-invalid=true]{border-color:var(--bad)}.check{display:flex;align-items:center;gap:8px;min-height:36px}.check input{width:17px;height:17px;accent-color:var(--accent);flex:none}input[type=range]{appearance:none;-webkit-appearance:none;width:100%;height:28px;background:none;margin:0;cursor:pointer;touch-action:pan-y}input[type=range]::-webkit-slider-runnable-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-moz-range-track{height:5px;border-radius:3px;background:linear-gradient(var(--accent),var(--accent)) 0 / var(--filled, 0%) 100% no-repeat var(--line)}input[type=range]::-webkit-slider-thumb{-webkit-appearance:none;width:20px;height:20px;margin-top:-7.5px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}input[type=range]::-moz-range-thumb{width:15px;height:15px;border-radius:50%;background:var(--accent);border:3px solid var(--card);box-shadow:0 0 0 1px var(--accent)}.slider{min-width:150px;flex:1;gap:2px}.ends{display:flex;justify-content:space-between;font-size:13px;color:var(--muted)}.card,.panel,.intro,.choices,.bars li,.verdict,.legend{contain:layout}.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:18px 20px;min-width:0}.explain{display:grid;grid-template-columns:minmax(0,1.35fr) minmax(0,1fr);gap:20px;align-items:start}.stage{min-width:0}.stage>.panel,.contrast .stage>.slider{max-width:clamp(320px,58vh,620px)}.test{grid-row:span 2}.panels{display:grid;gap:14px}.panels.two{grid-template-columns:1fr 1fr}.panels.one{max-width:560px}.controls{padding-top:14px;align-items:center}.controls .field{flex:none}.controls .slider{max-width:190px}.panel{min-width:0}.panel figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:8px;font-size:13px;padding-bottom:6px;min-height:26px}.panel .title{font-weight:600;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.panel .note{color:var(--muted);font-variant-numeric:tabular-nums;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.frame{position:relative;overflow:hidden;contain:layout paint;border-radius:8px;background:var(--frame);touch-action:pan-y;width:100%}.frame.zoomed{touch-action:none;cursor:grab}.frame.zoomed:active{cursor:grabbing}.frame:focus-visible{outline-offset:2px;border-radius:8px}.layers{position:absolute;inset:0;transform-origin:0 0}.layers canvas{position:absolute;inset:0;width:100%;height:100%}.layers.sharp canvas{image-rendering:pixelated}.key{display:inline-flex;gap:6px;align-items:center;color:var(--muted);font-size:12px}.ramp{width:44px;height:8px;border-radius:4px;background:linear-gradient(90deg,#1b0c41,#781c6d,#bc3754,#ed6925,#fbb61a,#fcffa4)}.ramp.signed{background:linear-gradient(90deg,#2c70c8,var(--soft),#e43c2a)}.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;margin-right:6px}.swatch.class-a{background:#e47400}.swatch.class-b{background:#0072b2}.swatch.class-shared{background:#118c5a}strong.class-a,b.class-a{color:var(--class-a)}strong.class-b,b.class-b{color:var(--class-b)}.chart{position:relative;width:100%;overflow:hidden;margin-top:10px}.chart svg{display:block}.chart .scrubbable{cursor:ew-resize;touch-action:pan-y;user-select:none}.chart .grid{stroke:var(--line);stroke-width:1}.chart .tick{fill:var(--muted);font-size:11px}.series polyline{fill:none;stroke:currentColor;stroke-width:1.2;opacity:.32;stroke-linejoin:round}.series circle{fill:currentColor;opacity:.75}.series.strong polyline{stroke-width:2.2;opacity:.45}.series.strong circle{opacity:1}.series.plain polyline{opacity:1}.series.dashed polyline{stroke-dasharray:5 4;opacity:.7}.chart .marker{stroke:var(--bad);stroke-dasharray:3 3}.chart .marker.good{stroke:var(--class-shared)}.chart .marker-text{fill:var(--bad);font-size:11px;paint-order:stroke;stroke:var(--card);stroke-width:4px}.chart .marker-text.good{fill:var(--class-shared)}.cursor{position:absolute;left:-.75px;width:1.5px;background:var(--ink);pointer-events:none;will-change:transform}.cursor:after{content:"";position:absolute;bottom:-8px;left:-7.25px;width:16px;height:16px;border-radius:50%;background:var(--ink);border:2.5px solid var(--card)}.slide{display:flex;align-items:center;gap:6px;margin-top:6px}.step{border:1px solid var(--line);background:var(--card);border-radius:8px;width:34px;height:34px;flex:none;font-size:18px;line-height:1}.step:disabled{opacity:.4;cursor:default}.legend{display:flex;flex-wrap:wrap;gap:4px 14px;font-size:12px;color:var(--muted);padding-top:4px}.legend .dot{display:inline-block;width:7px;height:7px;border-radius:50%;background:var(--ink);margin-right:5px}.legend .line{display:inline-block;width:18px;height:2px;background:var(--muted);opacity:.6;margin-right:5px;vertical-align:middle}.legend .count{margin-left:auto;font-variant-numeric:tabular-nums}.flip{display:flex;flex-wrap:wrap;gap:8px 12px;align-items:center;margin-top:14px;font-size:13px}.verdict{margin-top:16px;min-height:46px}.verdict.changed b:first-of-type{color:var(--bad)}.bars{list-style:none;display:grid;gap:5px;margin-top:6px}.bars li{display:grid;grid-template-columns:minmax(70px,130px) 1fr 54px;gap:10px;align-items:center;font-size:13px}.bars .name{color:var(--ink);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.bars .explained .name{font-weight:650}.bars .winner .name:after{content:" \\2713"}.bars .value{color:var(--ink);text-align:right;font-variant-numeric:tabular-nums}.bars .track{position:relative;height:12px;border-radius:4px;background:var(--soft);overflow:hidden}.bars .track i{position:absolute;inset:0;background:currentColor;transform-origin:0 0}.bars .track b{position:absolute;top:0;bottom:0;width:2px;margin-left:-2px;background:var(--ink);opacity:.55}.bars.between .track i{opacity:.5}.bars.between .value:before{content:"\\2248  ";color:var(--muted)}.facts{font-size:14px}.facts dl{display:grid;gap:4px;margin:10px 0 14px}.facts dl>div{display:grid;grid-template-columns:140px 1fr;gap:12px}.facts dt{color:var(--muted)}.facts dd{overflow-wrap:anywhere}.facts .bad{color:var(--bad)}details{margin-top:10px}summary{cursor:pointer;color:var(--muted);width:fit-content}pre{background:var(--soft);border-radius:8px;padding:12px;overflow-x:auto;margin:8px 0 0;line-height:1.45}.compare{display:grid;grid-template-columns:minmax(0,5fr) minmax(0,8fr);gap:20px;align-items:start}.curves{position:sticky;top:12px}.methods{display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:16px 14px;min-width:0}.method{display:grid;gap:4px;align-content:start;min-width:0}.scores{grid-column:2}.disagreement{grid-column:1;grid-row:2}.disagreement .panel{max-width:340px;margin-top:12px}.dock{display:none}.names{display:flex;flex-wrap:wrap;gap:2px 16px;font-size:13px;margin-top:10px}.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:7px 8px;text-align:right;border-bottom:1px solid var(--line);font-variant-numeric:tabular-nums;white-space:nowrap}th:first-child{text-align:left;font-weight:500;padding-left:0}thead th{font-weight:500;color:var(--muted)}thead button{border:0;background:none;padding:4px 0;font-size:13px;color:inherit}thead [aria-sort=ascending] button,thead [aria-sort=descending] button{color:var(--ink);font-weight:600}td.best{font-weight:700}.compare .muted,.settings .muted{font-size:13px;margin-top:10px}.contrast{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:24px;align-items:start}.contrast .slider{margin-top:12px}.parts{display:grid;grid-template-columns:1fr 1fr;gap:16px;min-width:0}.settings{display:grid;gap:12px;align-content:start;padding:14px 16px}.settings h2{margin:0}.settings input[type=text]{width:100%;min-width:0}.settings .check{min-height:0;font-size:13px;align-items:flex-start}@media(max-width:1150px){.panels.two figcaption{flex-direction:column;gap:0;line-height:1.35}}@media(max-width:900px){#explorer{padding:0 14px 40px}.compare,.contrast{grid-template-columns:minmax(0,1fr);gap:14px}.contrast .stage>*{max-width:none}.explain{display:flex;flex-direction:column;align-items:stretch;gap:14px}.explain .stage{display:contents}.explain .panels{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;max-height:60vh}.controls{order:1;padding:0}.explain .stage>.panel{position:sticky;top:0;z-index:1;background:var(--page);padding:6px 0 8px;width:min(100%,55vh);align-self:center}.methods{order:-1}.curves{position:static}.scores,.disagreement{grid-column:1;grid-row:auto}.dock{display:block;position:sticky;bottom:0;z-index:1;margin:0 -14px;padding:8px 14px;background:var(--page);border-top:1px solid var(--line)}.dock .slide{margin:0}.facts{order:2}.top{flex-wrap:wrap;gap:0 16px;padding-top:8px}.tabs{order:3;width:100%;min-height:44px}.tabs button:first-child{padding-left:0}}@media(max-width:520px){h1{font-size:21px}.intro{padding:14px 0 10px}.card{padding:14px}.panels{gap:8px}.panel figcaption{flex-direction:column;gap:0;line-height:1.35}.panel .note,.panel .title{max-width:100%}.methods{grid-template-columns:1fr 1fr;gap:10px}.strip button{width:76px;font-size:11px}.tabs button{padding:0 8px}.zooms{display:none}.parts{gap:10px}.settings{grid-column:span 2}.facts dl>div{grid-template-columns:110px 1fr}.choices{gap:10px 20px}.chip,.segmented button,.step{min-height:40px}}@media(prefers-reduced-motion:no-preference){.button,.chip,.segmented button{transition:border-color .12s,background .12s,color .12s}}
`;var kn=new CSSStyleSheet;kn.replaceSync(wn);document.adoptedStyleSheets=[...document.adoptedStyleSheets,kn];var Mn=document.getElementById("explorer"),Ne=[...document.querySelectorAll("script[data-bundle]")].map(t=>t.textContent??""),st=Ne.map(()=>null),Ee=new Fe;yo().catch(t=>{Mn.textContent=`This file cannot be read: ${t.message}`});async function yo(){let t=Ne[Ee.state.image]===void 0?0:Ee.state.image;for(let e of[t,...Ne.keys()].filter((n,o,a)=>a.indexOf(n)===o))st[e]=await $n(Ne[e]),vt(u`<${fn} bundles=${[...st]} store=${Ee} />`,Mn),await new Promise(n=>setTimeout(n))}Object.assign(globalThis,{seewhyExplorer:{bundles:st,store:Ee,contrastClasses:et,densityMap:Pe}});
